import type { Address } from '../../src/chain/address.ts';
import { encodeAddress } from '../../src/chain/keys/base58.ts';
import type { PositionState } from '../../src/facts/average-cost.ts';
import { toPositionRow } from '../../src/store/clickhouse/schema/position-rows.ts';
import type { RowBatch, RowBytes } from '../../src/store/clickhouse/schema/row-batch.ts';
import { encodeRows } from '../../src/store/clickhouse/schema/row-codec.ts';
import {
  ATTEMPTS,
  type AttemptRow,
  type FactTableName,
  POSITIONS,
  SWAPS,
  type SwapRow,
  TRANSFERS,
  type TransferRow,
} from '../../src/store/clickhouse/schema/tables.ts';
import { foldPositions } from '../../test/support/fold-positions.ts';
import { createRandom, type Random, zipfRank } from './random.ts';

/**
 * Rows of a made-up market whose sizes on disk are worth measuring. What decides
 * them, beside the 64 random bytes of a signature, is who trades what how often:
 *
 * - mints by Zipf(0.72), {@link SWAPS_PER_MINT} swaps each on average; the upper ones trade in a pool;
 * - wallets by Zipf(0.8), {@link SWAPS_PER_TRADER} swaps each on average, but within a mint most swaps are of
 *   wallets that are in it already: {@link NEWCOMERS} of them open a position;
 * - amounts: a third of the buys are round sums, seven sells in ten sell everything;
 * - prices follow the curve, or the pool, of every single mint; fees are the programs' own;
 * - attempts are those of bots, a hundredth of the wallets; transfers are airdrops, sweeps and payments.
 */
export interface Market {
  /** Rows of the next `slots` slots, as one batch. */
  next(slots: number): RowBatch;
}

export const SWAPS_PER_SLOT = 115;
export const ATTEMPTS_PER_SLOT = 115;
export const TRANSFERS_PER_SLOT = 200;
const SWAPS_PER_MINT = 500;
const SWAPS_PER_TRADER = 20;
const NEWCOMERS = 0.5;
const MINT_ZIPF = 0.72;
const TRADER_ZIPF = 0.8;
/** Share of the mints, the most traded ones, that have left the curve. */
const IN_POOLS = 0.04;
const SLOTS_PER_S = 5;

const VIRTUAL_QUOTE = 30_000_000_000;
const VIRTUAL_TOKEN = 1_073_000_000_000_000;
const REAL_TOKEN_OFFSET = 279_900_000_000_000;
const ROUND_SOL = [0.01, 0.05, 0.1, 0.2, 0.25, 0.5, 1, 2, 5];
const CU_LIMITS = [80_000, 100_000, 120_000, 150_000, 200_000, 250_000, 300_000];
const POOL_FEES = [
  { lp: 20, protocol: 5, creator: 5 },
  { lp: 20, protocol: 5, creator: 30 },
  { lp: 20, protocol: 5, creator: 95 },
];
const WHYS = ['slippage', 'slippage', 'slippage', 'bot_lost_race', 'insufficient_funds', 'unknown'];

interface Coin {
  readonly mint: Address;
  readonly pool: Address | '';
  readonly creator: Address;
  readonly fees: (typeof POOL_FEES)[number];
  quote: number;
  token: number;
  /** Wallets with a position, in the order in which they came. */
  readonly wallets: { readonly trader: Address; tokens: number }[];
}

interface World {
  readonly random: Random;
  readonly coins: readonly Coin[];
  readonly traders: readonly Address[];
  readonly routers: readonly Address[];
  readonly tipWallets: readonly Address[];
  readonly hubs: readonly Address[];
}

export function createMarket({ swaps, seed, firstSlot, firstTime }: MarketOptions): Market {
  const world = createWorld(createRandom(seed), swaps);
  const positions = new Map<string, PositionState>();
  let slot = firstSlot;
  return {
    next(slots) {
      const first = slot;
      const rows = { swaps: [] as SwapRow[], attempts: [] as AttemptRow[], transfers: [] as TransferRow[] };
      for (; slot < first + slots; slot += 1) {
        const origin = originsOf(world.random, slot, firstTime + Math.floor((slot - firstSlot) / SLOTS_PER_S));
        for (let n = 0; n < SWAPS_PER_SLOT; n += 1) rows.swaps.push(swapRow(world, origin()));
        for (let n = 0; n < ATTEMPTS_PER_SLOT; n += 1) rows.attempts.push(attemptRow(world, origin()));
        for (let n = 0; n < TRANSFERS_PER_SLOT; n += 1) rows.transfers.push(transferRow(world, origin()));
      }
      const changed = [...foldPositions(positions, rows.swaps.map(toPositionSwap))];
      const positionRows = changed.map((key) => toPositionRow(positions.get(key)!));
      const tables = new Map<FactTableName, RowBytes>([
        ['swaps', encodeRows(SWAPS, rows.swaps)],
        ['attempts', encodeRows(ATTEMPTS, rows.attempts)],
        ['transfers', encodeRows(TRANSFERS, rows.transfers)],
        ['positions', encodeRows(POSITIONS, positionRows)],
      ]);
      return { firstSlot: first, lastSlot: slot - 1, closesSlots: true, tables };
    },
  };
}

export interface MarketOptions {
  /** Swaps that the market is made for: the numbers of mints and wallets follow. */
  readonly swaps: number;
  readonly seed: number;
  readonly firstSlot: number;
  /** Unix seconds. */
  readonly firstTime: number;
}

function createWorld(random: Random, swaps: number): World {
  const addresses = (count: number) => Array.from({ length: count }, () => encodeAddress(random.bytes(32)));
  const mints = Math.ceil(swaps / SWAPS_PER_MINT);
  const traders = addresses(Math.ceil(swaps / SWAPS_PER_TRADER));
  const coins = addresses(mints).map((mint, rank): Coin => {
    const inPool = rank < mints * IN_POOLS;
    const scale = inPool ? random.around(4, 0.8) : 1;
    return {
      mint,
      pool: inPool ? encodeAddress(random.bytes(32)) : '',
      creator: random.pick(traders),
      fees: random.pick(POOL_FEES),
      quote: inPool ? Math.floor(85_000_000_000 * scale) : VIRTUAL_QUOTE,
      token: inPool ? Math.floor(206_900_000_000_000 / scale) : VIRTUAL_TOKEN,
      wallets: [],
    };
  });
  return { random, coins, traders, routers: addresses(12), tipWallets: addresses(16), hubs: addresses(40) };
}

type Origin = Pick<SwapRow, 'slot' | 'block_index' | 'ix_index' | 'time' | 'signature' | 'partial'>;

/** Places in a block, ascending, with gaps where other transactions are. */
function originsOf(random: Random, slot: number, time: number): () => Origin {
  let index = 0;
  return () => {
    index += 1 + random.below(5);
    return {
      slot,
      block_index: index,
      ix_index: 2 + random.below(random.chance(0.8) ? 4 : 24),
      time,
      signature: random.bytes(64),
      partial: false,
    };
  };
}

function swapRow(world: World, origin: Origin): SwapRow {
  const { random, coins } = world;
  const coin = coins[zipfRank(random, coins.length, MINT_ZIPF)]!;
  const inPool = coin.pool !== '';
  const { trader, isBuy, quote, token } = trade(world, coin);
  const round = inPool ? coin.fees : { lp: 0, protocol: 95, creator: 30 };
  const fee = (bps: number) => BigInt(Math.ceil((quote * bps) / 10_000));
  const priceRounded = quote < 10_000 || token < 10_000;
  const amounts = { quote_amount: BigInt(quote), token_amount: BigInt(token) };
  // A pool's price is that of the trade without its fee; the curve's is that of the event.
  const priceQuote = inPool ? amounts.quote_amount - fee(round.lp) : amounts.quote_amount;
  return {
    mint: coin.mint,
    ...origin,
    venue: inPool ? 1 : 0,
    pool: coin.pool,
    trader,
    is_buy: isBuy,
    quote_mint: '',
    quote_decimals: 9,
    token_decimals: 6,
    ...amounts,
    price_quote: priceQuote,
    price_token: amounts.token_amount,
    price: Number(priceQuote) / token,
    fee: fee(round.protocol),
    creator_fee: fee(round.creator),
    lp_fee: fee(round.lp),
    fee_in_token: false,
    fee_creator: coin.creator,
    virtual_quote_reserves: BigInt(coin.quote),
    virtual_token_reserves: BigInt(coin.token),
    real_quote_reserves: BigInt(inPool ? coin.quote : Math.max(0, coin.quote - VIRTUAL_QUOTE)),
    real_token_reserves: BigInt(inPool ? coin.token : Math.max(0, coin.token - REAL_TOKEN_OFFSET)),
    reserves_known: true,
    priced: !priceRounded,
    protocol_actor: false,
    bundled: random.chance(0.1) ? 1 : 0,
    fee_payer: random.chance(0.97) ? trader : random.pick(world.hubs),
    router: random.chance(0.3) ? random.pick(world.routers) : '',
    ...costs(world),
  };
}

/** One trade with the coin's reserves, of a wallet that is new in it or has traded it before. */
function trade({ random, traders }: World, coin: Coin) {
  const isNew = coin.wallets.length === 0 || random.chance(NEWCOMERS);
  // Those who came last are those who trade.
  const place = coin.wallets.length - 1 - zipfRank(random, Math.max(1, coin.wallets.length), 0.5);
  const wallet = isNew
    ? { trader: traders[zipfRank(random, traders.length, TRADER_ZIPF)]!, tokens: 0 }
    : coin.wallets[place]!;
  if (isNew) coin.wallets.push(wallet);
  const sells = wallet.tokens > 0 && random.chance(0.75);
  if (sells) {
    const token = Math.max(1, random.chance(0.7) ? wallet.tokens : Math.floor(wallet.tokens * random.unit()));
    const quote = Math.max(1, Math.floor((coin.quote * token) / (coin.token + token)));
    coin.quote -= quote;
    coin.token += token;
    wallet.tokens -= token;
    return { trader: wallet.trader, isBuy: false, quote, token };
  }
  const sol = random.chance(0.33) ? random.pick(ROUND_SOL) : random.around(0.3, 1.6);
  const quote = Math.max(1, Math.min(Math.floor((sol * 1e9) / 1.0125), Math.floor(coin.quote / 4)));
  const token = Math.max(1, Math.floor((coin.token * quote) / (coin.quote + quote)));
  coin.quote += quote;
  coin.token -= token;
  wallet.tokens += token;
  return { trader: wallet.trader, isBuy: true, quote, token };
}

/** Fees and tip that a transaction paid to get in. */
function costs({ random, tipWallets }: World) {
  const cuLimit = random.chance(0.6) ? random.pick(CU_LIMITS) : 60_000 + random.below(300_000);
  const cuPrice = random.chance(0.6) ? 10 ** (3 + random.below(4)) : Math.floor(random.around(200_000, 1.5));
  const priorityFee = Math.ceil((cuLimit * cuPrice) / 1e6);
  const tips = random.chance(0.35);
  const tip = !tips ? 0 : random.chance(0.6) ? 10 ** (4 + random.below(3)) : Math.floor(random.around(400_000, 1.2));
  const signatures = random.chance(0.9) ? 1 : 2;
  return {
    tip: BigInt(tip),
    tip_wallet: tips ? random.pick(tipWallets) : ('' as const),
    cu_price: BigInt(cuPrice),
    cu_limit: cuLimit,
    priority_fee: BigInt(priorityFee),
    budget_source: 1,
    network_fee: BigInt(priorityFee + 5_000 * signatures),
    signatures,
  };
}

function attemptRow(world: World, origin: Origin): AttemptRow {
  const { random, coins, traders } = world;
  const coin = coins[zipfRank(random, coins.length, MINT_ZIPF)]!;
  const isBot = random.chance(0.8);
  const paid = costs(world);
  const trader = traders[zipfRank(random, isBot ? Math.ceil(traders.length / 100) : traders.length, TRADER_ZIPF)]!;
  return {
    mint: coin.mint,
    ...origin,
    venue: coin.pool === '' ? 0 : 1,
    trader,
    side: random.chance(0.8) ? 1 : 0,
    outcome: random.chance(0.7) ? 1 : 2,
    why: random.pick(WHYS),
    error_code: random.chance(0.7) ? 6_002 : random.below(20) + 6_000,
    program: random.pick(world.routers),
    router: random.chance(0.5) ? random.pick(world.routers) : '',
    fee_payer: random.chance(0.97) ? trader : random.pick(world.hubs),
    ...paid,
    tip_payable: paid.tip,
  };
}

function transferRow({ random, coins, traders, hubs }: World, origin: Origin): TransferRow {
  const coin = coins[zipfRank(random, coins.length, MINT_ZIPF)]!;
  const wallet = traders[zipfRank(random, traders.length, TRADER_ZIPF)]!;
  const fromHub = random.chance(0.4);
  const toHub = !fromHub && random.chance(0.5);
  return {
    mint: coin.mint,
    ...origin,
    sender: fromHub ? random.pick(hubs) : wallet,
    receiver: toHub ? random.pick(hubs) : fromHub ? wallet : random.pick(traders),
    amount: BigInt(
      Math.max(1, Math.floor(random.chance(0.3) ? 10 ** (6 + random.below(7)) : random.around(1e10, 2.5))),
    ),
    decimals: 6,
    ambiguous: false,
    hidden: false,
  };
}

function toPositionSwap(row: SwapRow) {
  return {
    mint: row.mint as Address,
    quoteMint: undefined,
    trader: row.trader as Address,
    slot: row.slot,
    blockIndex: row.block_index,
    ixIndex: row.ix_index,
    time: row.time,
    isBuy: row.is_buy,
    quoteAmount: row.quote_amount,
    tokenAmount: row.token_amount,
    protocolActor: row.protocol_actor,
  };
}
