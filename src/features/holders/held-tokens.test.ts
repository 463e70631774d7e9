import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CREATED_SLOT, creationRow, LAUNCH_MINT, LAUNCH_TIME } from '../../../test/support/launch-script.ts';
import { openTestStore, type TestStore } from '../../../test/support/store.ts';
import { address } from '../../../test/support/token-world-rows.ts';
import { DEFAULT_BOOK_LIMITS } from '../../books/book-limits.ts';
import { createBookShelf } from '../../books/book-shelf.ts';
import type { Address } from '../../chain/address.ts';
import { INCINERATOR } from '../../chain/well-known.ts';
import type { PositionSwap } from '../../facts/average-cost.ts';
import { compareMovements, type Movement, type MovementKind } from '../../facts/movements.ts';
import { foldWallets, type WalletState } from '../../facts/wallet-fold.ts';
import { createFeed } from '../../feed/in-process.ts';
import { bondingCurveAddress } from '../../programs/pump/addresses.ts';
import { encodeHoldings } from '../../store/clickhouse/schema/holding-rows.ts';
import { toPositionRow } from '../../store/clickhouse/schema/position-rows.ts';
import { encodeRows } from '../../store/clickhouse/schema/row-codec.ts';
import type { RowOf } from '../../store/clickhouse/schema/table-layout.ts';
import { POOLS, POSITIONS, TOKEN_CREATIONS } from '../../store/clickhouse/schema/tables.ts';
import { createHolderAnswers, type HolderAnswers } from './answers.ts';
import { createHolderStats } from './stats.ts';

const [ROUTER, PAYER, ARB, CREATOR, SECOND, SENDER, FRIEND, LATE, SOLD_GIFT] = [31, 32, 33, 34, 35, 36, 37, 38, 39].map(
  address,
) as Address[];
const [POOL, OTHER_POOL] = [address(51), address(52)];
const SOL = 1_000_000_000n;
const NEVER_SEEN = address(12);
/** Traded before our time: whoever is seen to sell it has it from somewhere. */
const SOLD_ALONE = address(13);

const swaps: PositionSwap[] = [];
const moves: Movement[] = [];
let slot = CREATED_SLOT;

const place = () => ({ mint: LAUNCH_MINT as Address, slot, blockIndex: 1, ixIndex: 1, time: LAUNCH_TIME + 1 });

function trade(trader: Address, isBuy: boolean, tokenAmount: bigint, quoteAmount: bigint): void {
  swaps.push({ ...place(), trader, isBuy, tokenAmount, quoteAmount, quoteMint: undefined, protocolActor: false });
}

function move(wallet: Address, kind: MovementKind, delta: bigint): void {
  moves.push({ ...place(), wallet, kind, delta });
}

/** Transactions by which trades alone are fooled, one a slot. */
const STORY: readonly (() => void)[] = [
  // A router keeps a part of what it buys for somebody.
  () => {
    trade(PAYER!, true, 1_000n, SOL);
    move(PAYER!, 'unexplained', -10n);
    move(ROUTER!, 'unexplained', 10n);
  },
  // Bought here and sold on a market that tells nothing, in one transaction.
  () => {
    trade(ARB!, true, 5_000n, SOL);
    move(ARB!, 'unexplained', -5_000n);
  },
  // The creator's second buy lands in another wallet: a hidden hand-over.
  () => trade(CREATOR!, true, 700n, SOL),
  () => {
    trade(CREATOR!, true, 300n, SOL);
    move(CREATOR!, 'handed', -300n);
    move(SECOND!, 'handed', 300n);
  },
  // Bought, sent all away, bought again dearer, and sold at cost.
  () => trade(SENDER!, true, 100n, SOL),
  () => {
    move(SENDER!, 'sent', -100n);
    move(FRIEND!, 'received', 100n);
  },
  () => trade(SENDER!, true, 100n, 2n * SOL),
  () => trade(SENDER!, false, 100n, 2n * SOL),
  // Joined in the middle of its life: it sells what nobody saw it get, and buys again.
  () => trade(LATE!, false, 900n, SOL),
  () => trade(LATE!, true, 2_000n, SOL),
  // Tokens handed to a pool that trades nowhere here, to where they are burnt, and to the curve: nobody holds them.
  () => {
    trade(PAYER!, true, 9_000n, SOL);
    move(PAYER!, 'handed', -9_000n);
    for (const nobody of [POOL, INCINERATOR, bondingCurveAddress(LAUNCH_MINT)]) move(nobody, 'handed', 3_000n);
  },
  // A pool that parts with more than was seen to arrive is no wallet whose balance is missed.
  () => move(OTHER_POOL, 'handed', -1n),
  // Sells what it was sent: trades and deltas do not tell what it has.
  () => move(SOLD_GIFT!, 'received', 50n),
  () => trade(SOLD_GIFT!, false, 20n, SOL),
  () => {
    const sides = { trader: LATE!, isBuy: false, quoteMint: undefined, protocolActor: false };
    swaps.push({ ...place(), mint: SOLD_ALONE, ...sides, tokenAmount: 5n, quoteAmount: SOL });
  },
];

/** A pool that somebody made, and that nobody trades in. */
function poolOf(pool: Address): RowOf<typeof POOLS> {
  const { slot, block_index, ix_index, time, signature, partial } = creationRow;
  return {
    mint: LAUNCH_MINT,
    ...{ slot, block_index, ix_index, time, signature, partial },
    ...{ pool, quote_mint: '', inverted: false, canonical: false, creator: CREATOR! },
    ...{ token_decimals: 6, quote_decimals: 9, token_amount: 1n, quote_amount: 1n },
  };
}

let test: TestStore;

beforeAll(async () => {
  for (const step of STORY) {
    slot += 1;
    step();
  }
  test = await openTestStore();
  const wallets = new Map<string, WalletState>();
  foldWallets(wallets, swaps, moves.sort(compareMovements));
  const states = [...wallets.values()];
  const positions = states.flatMap((state) => state.positions).map(toPositionRow);
  const holdings = states.flatMap(({ holding }) => holding ?? []);
  const tables = new Map([
    [
      'token_creations',
      encodeRows(
        TOKEN_CREATIONS,
        [LAUNCH_MINT, NEVER_SEEN, SOLD_ALONE].map((mint) => ({ ...creationRow, mint })),
      ),
    ],
    ['pools', encodeRows(POOLS, [POOL, OTHER_POOL].map(poolOf))],
    ['positions', encodeRows(POSITIONS, positions)],
    ['holdings', encodeHoldings(holdings)],
  ] as const);
  await test.store.writer.flush([{ firstSlot: CREATED_SLOT, lastSlot: slot, closesSlots: true, tables }]);
});

afterAll(() => test?.close());

function open({ whole = true, inMemory = 100 } = {}): HolderAnswers {
  const { client } = test.store;
  const feed = createFeed({ maxHeldBatches: 10 });
  feed.commit(slot, 0);
  const clock = { now: () => LAUNCH_TIME * 1_000, elapsed: () => 0, sleep: () => new Promise<void>(() => {}) };
  const shelf = createBookShelf({ feed, limits: DEFAULT_BOOK_LIMITS });
  const isWhole = async () => whole;
  const stats = createHolderStats({ client, clock, feed, snapshots: undefined, isWhole });
  const sizes = { holders: inMemory };
  return createHolderAnswers({ client, feed, clock, shelf, sizes, stats, snapshots: undefined, isWhole });
}

const read = async (body: unknown) => JSON.parse(String(await body));

/** By the estimate: who was sent something has none of it. */
const HELD: readonly [Address | undefined, string][] = [
  [PAYER, '990'],
  [CREATOR, '700'],
  [SECOND, '300'],
  // Its trades came to nothing, and what it sent away is not in the estimate.
  [SENDER, '100'],
  [ROUTER, '10'],
];

describe('what wallets hold that trades alone are fooled about', () => {
  it.each([
    ['out of the book', 100],
    ['out of the store, where it holds more wallets than the book', 2],
  ])('is told %s', async (_where, inMemory) => {
    const body = await read(open({ inMemory }).holders(LAUNCH_MINT, 50));
    const told = body.data.map((row: { trader: string; token_balance: string }) => [row.trader, row.token_balance]);
    expect(told).toEqual(HELD);
    // Two wallets sold what they were not seen to get by trades.
    expect(body).toMatchObject({ source: 'swap_estimate', partial: true });
  });

  it('is told in the order of the largest, however few are asked for', async () => {
    for (const inMemory of [2, 3, 100]) {
      for (let limit = 1; limit <= HELD.length; limit += 1) {
        const { data } = await read(open({ inMemory }).holders(LAUNCH_MINT, limit));
        expect(data.map(({ trader }: { trader: string }) => trader)).toEqual(HELD.slice(0, limit).map(([who]) => who));
      }
    }
  });

  it('is added up the same', async () => {
    expect(await read(open().holderStats(LAUNCH_MINT))).toMatchObject({
      ...{ source: 'swap_estimate', holders: 5, held: '2100', top10: '2100', top25: '2100', partial: true },
    });
  });

  it('is told of traders, without what is not known and without a profit out of a send', async () => {
    const { data, partial } = await read(open().traders(LAUNCH_MINT, { sort: 'realized', limit: 50 }));
    const rows = new Map<string | undefined, Record<string, unknown>>(
      data.map((row: { trader: string }) => [row.trader, row]),
    );
    expect(partial).toBe(true);
    expect(rows.get(SENDER)).toMatchObject({ realized_pnl: '0', token_balance: '100' });
    expect(rows.get(ARB)).toMatchObject({ token_balance: '0', realized_pnl: '0' });
    for (const wallet of [LATE, SOLD_GIFT]) {
      expect(rows.get(wallet)).toMatchObject({ partial: true });
      expect(rows.get(wallet)).not.toHaveProperty('token_balance');
      expect(rows.get(wallet)).not.toHaveProperty('realized_pnl');
    }
    expect(data.at(-1)).not.toHaveProperty('realized_pnl');
    for (const wallet of [ROUTER, SECOND, FRIEND]) expect(rows.has(wallet)).toBe(false);
  });
});

describe('holders of a token that nobody is seen to hold', () => {
  it('are not told as none where blocks of its life are missing', async () => {
    const stats = await read(open({ whole: false }).holderStats(NEVER_SEEN));
    expect(stats).toMatchObject({ source: 'swap_estimate', partial: true });
    for (const field of ['holders', 'held', 'top10', 'top25']) expect(stats).not.toHaveProperty(field);
    expect(await read(open({ whole: false }).holders(NEVER_SEEN, 5))).toMatchObject({ data: [], partial: true });
  });

  it('are not told as none where all that is seen of them are sales', async () => {
    for (const whole of [true, false]) {
      const stats = await read(open({ whole }).holderStats(SOLD_ALONE));
      expect(stats).toMatchObject({ source: 'swap_estimate', partial: true });
      for (const field of ['holders', 'held', 'top10', 'top25']) expect(stats).not.toHaveProperty(field);
    }
  });

  it('are none where all of it was seen', async () => {
    const stats = await read(open().holderStats(NEVER_SEEN));
    expect(stats).toMatchObject({ holders: 0, held: '0', top10: '0', top25: '0' });
    expect(stats).not.toHaveProperty('partial');
  });
});
