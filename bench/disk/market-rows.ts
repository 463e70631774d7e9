import type { AttemptRow, SwapRow, TransferRow } from '../../src/store/clickhouse/schema/tables.ts';
import { MINT_ZIPF, REAL_TOKEN_OFFSET, TRADER_ZIPF, trade, VIRTUAL_QUOTE, type World } from './market-world.ts';
import { type Random, zipfRank } from './random.ts';

const CU_LIMITS = [80_000, 100_000, 120_000, 150_000, 200_000, 250_000, 300_000];
const WHYS = ['slippage', 'slippage', 'slippage', 'bot_lost_race', 'insufficient_funds', 'unknown'];

type Origin = Pick<SwapRow, 'slot' | 'block_index' | 'ix_index' | 'time' | 'signature' | 'partial'>;

/** Places in a block, ascending, with gaps where other transactions are. */
export function originsOf(random: Random, slot: number, time: number): () => Origin {
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

export function swapRow(world: World, origin: Origin): SwapRow {
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

export function attemptRow(world: World, origin: Origin): AttemptRow {
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

export function transferRow({ random, coins, traders, hubs }: World, origin: Origin): TransferRow {
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
