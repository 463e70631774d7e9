import type { Address } from '../../src/chain/address.ts';
import { encodeAddress } from '../../src/chain/keys/base58.ts';
import type { BlockFacts, Swap, TokenCreated, Transfer } from '../../src/facts/fact.ts';
import { movementsOf } from '../../src/facts/movements.ts';
import { foldWallets, type WalletState } from '../../src/facts/wallet-fold.ts';
import { toRowBatch } from '../../src/store/clickhouse/schema/fact-rows.ts';
import { withHoldings } from '../../src/store/clickhouse/schema/holding-rows.ts';
import { toPositionRow } from '../../src/store/clickhouse/schema/position-rows.ts';
import type { RowBatch } from '../../src/store/clickhouse/schema/row-batch.ts';

/** A seeded stream of numbers from 0 to below 1 (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface FactsOptions {
  readonly seed?: number;
  readonly swapsPerBlock?: number;
  readonly mints?: number;
  readonly traders?: number;
  readonly firstSlot?: number;
  readonly firstTime?: number;
}

/** Blocks of facts with trades of a few mints, as the store sees them: for tests of what lies behind deriving. */
export interface FactsMaker {
  readonly mints: readonly Address[];
  readonly traders: readonly Address[];
  /** The facts of the next slot. */
  next(): BlockFacts;
  /** Its rows, with the positions that it moved. */
  nextBatch(): RowBatch;
  /** The rows of facts that were made elsewhere, folded into the same positions. */
  toBatch(facts: BlockFacts): RowBatch;
}

const SLOTS_PER_SECOND = 5;

export function createFactsMaker(options: FactsOptions = {}): FactsMaker {
  const { seed = 1, swapsPerBlock = 20, firstSlot = 1_000_000, firstTime = 1_760_000_000 } = options;
  const random = seededRandom(seed);
  const bytes = (length: number) => Uint8Array.from({ length }, () => Math.floor(random() * 256));
  const mints = Array.from({ length: options.mints ?? 8 }, () => encodeAddress(bytes(32)));
  const traders = Array.from({ length: options.traders ?? 30 }, () => encodeAddress(bytes(32)));
  const reserves = new Map(mints.map((mint) => [mint, { quote: 30_000_000_000, token: 1_073_000_000_000_000 }]));
  const wallets = new Map<string, WalletState>();
  /** Few are traded often, as on the chain. */
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() ** 3 * list.length)]!;
  let slot = firstSlot - 1;

  function swap(blockIndex: number): Swap {
    const mint = pick(mints);
    const pool = reserves.get(mint)!;
    const isBuy = random() < 0.55;
    const quote = Math.floor(10 ** (6 + random() * 3.5));
    const token = Math.floor((pool.token * quote) / (pool.quote + quote));
    pool.quote += isBuy ? quote : -Math.min(quote, pool.quote / 2);
    pool.token += isBuy ? -token : token;
    const trader = pick(traders);
    const amounts = { quoteAmount: BigInt(quote), tokenAmount: BigInt(token) };
    const paysTip = random() < 0.4;
    return {
      ...{ mint, venue: 0, pool: undefined, trader, isBuy, quoteMint: undefined, quoteDecimals: 9, tokenDecimals: 6 },
      ...{ slot, blockIndex, ixIndex: 3, time: timeOf(slot), signature: bytes(64), ...amounts },
      ...{ priceQuote: amounts.quoteAmount, priceToken: amounts.tokenAmount },
      ...{ fee: BigInt(Math.floor(quote * 0.0095)), creatorFee: BigInt(Math.floor(quote * 0.003)), lpFee: 0n },
      feeInToken: random() < 0.02,
      feeCreator: traders[0],
      virtualQuoteReserves: BigInt(Math.floor(pool.quote)),
      virtualTokenReserves: BigInt(Math.floor(pool.token)),
      realQuoteReserves: BigInt(Math.max(0, Math.floor(pool.quote) - 30_000_000_000)),
      realTokenReserves: BigInt(Math.max(0, Math.floor(pool.token) - 279_900_000_000_000)),
      priced: random() < 0.95,
      protocolActor: random() < 0.02,
      bundled: random() < 0.1,
      feePayer: trader,
      router: random() < 0.5 ? traders[1] : undefined,
      tip: paysTip ? BigInt(Math.floor(random() * 1e6)) : 0n,
      tipWallet: paysTip ? traders[2] : undefined,
      budget: { cuPrice: BigInt(Math.floor(random() * 1e6)), cuLimit: 200_000, priorityFee: 5000n, source: 0 },
      networkFee: 10_000n + BigInt(blockIndex),
      signatures: 1 + (blockIndex % 3),
    };
  }

  function timeOf(at: number): number {
    return firstTime + Math.floor((at - firstSlot) / SLOTS_PER_SECOND);
  }

  function creation(mint: Address): TokenCreated {
    return {
      ...{ slot, blockIndex: 0, ixIndex: 1, time: timeOf(slot), signature: bytes(64) },
      ...{
        mint,
        creator: traders[0]!,
        feeCreator: undefined,
        name: 'Token',
        symbol: 'TKN',
        uri: 'https://example.org/t',
      },
      ...{ bondingCurve: traders[3]!, decimals: 6, tokenProgram: undefined, quoteMint: undefined },
      ...{ mayhem: false, cashback: false, holderReward: false, creatorFeeBps: undefined, curveDepth: 0 },
      ...{ virtualTokenReserves: undefined, virtualQuoteReserves: undefined, realTokenReserves: undefined },
      supply: 1_000_000_000_000_000n,
    };
  }

  function transfer(blockIndex: number): Transfer {
    return {
      ...{ slot, blockIndex, ixIndex: 9, time: timeOf(slot), signature: bytes(64) },
      ...{ mint: pick(mints), from: pick(traders), to: pick(traders), amount: 5n, decimals: 6 },
      ...{ ambiguous: false, hidden: false },
    };
  }

  function next(): BlockFacts {
    slot += 1;
    const born = mints[slot - firstSlot];
    const swaps = Array.from({ length: swapsPerBlock }, (_, place) => swap(place * 2 + 1));
    return {
      ...{ slot, blockhash: `hash${slot}`, parentSlot: slot - 1, time: timeOf(slot), whole: true },
      created: born === undefined ? [] : [creation(born)],
      swaps,
      ...{ attempts: [], completed: [], graduated: [], creatorChanges: [], pools: [], liquidity: [], payouts: [] },
      transfers: [transfer(500)],
      ...{ burns: [], unexplained: [], fundings: [] },
      economics: {
        ...{ transactions: 900, failed: 100, votes: 600, fees: 9_000_000n, priorityFees: 4_000_000n, tips: 77n },
        tipsByWallet: [{ tipWallet: traders[2]!, count: 3, repeated: 1, lamports: 77n, paid: [33n, 44n] }],
      },
    };
  }

  function toBatch(facts: BlockFacts): RowBatch {
    const before = new Map(wallets);
    const changed = [...foldWallets(wallets, facts.swaps, movementsOf(facts))].map((key) => {
      return { state: wallets.get(key)!, known: before.get(key) };
    });
    const positions = changed.flatMap(({ state, known }) =>
      state.positions.filter((each) => !known?.positions.includes(each)),
    );
    const holdings = changed.flatMap(({ state, known }) =>
      state.holding === known?.holding ? [] : (state.holding ?? []),
    );
    return withHoldings(toRowBatch(facts, positions.map(toPositionRow)), holdings);
  }

  return { mints, traders, next, toBatch, nextBatch: () => toBatch(next()) };
}
