import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerFaults } from '../../../test/support/answer-schema.ts';
import { openIntelligence } from '../../../test/support/intelligence-answers.ts';
import { hydratedToken, position, storedBuy } from '../../../test/support/intelligence-rows.ts';
import { openTestStore, type TestStore } from '../../../test/support/store.ts';
import { address } from '../../../test/support/token-world-rows.ts';
import { DEFAULT_BOOK_LIMITS } from '../../books/book-limits.ts';
import { createBookShelf } from '../../books/book-shelf.ts';
import type { Address } from '../../chain/address.ts';
import { encodeAddress } from '../../chain/keys/base58.ts';
import { createFeed } from '../../feed/in-process.ts';
import { silentLogger } from '../../kernel/log.ts';
import { applyRetention, readRetention } from '../../store/clickhouse/retention.ts';
import { HYDRATED_TOKENS } from '../../store/clickhouse/schema/background-tables.ts';
import type { RowBytes } from '../../store/clickhouse/schema/row-batch.ts';
import { encodeRows } from '../../store/clickhouse/schema/row-codec.ts';
import {
  BLOCKS,
  type FactTable,
  POSITIONS,
  SWAPS,
  type SwapRow,
  TOKEN_CREATIONS,
  type TokenCreationRow,
  TRANSFERS,
} from '../../store/clickhouse/schema/tables.ts';
import { appendRows } from '../../store/clickhouse/write/append-rows.ts';
import { encodeStale } from '../../store/clickhouse/write/stale-positions.ts';
import { createStoreHistory } from '../../token/history.ts';
import type { HolderSnapshot } from '../holders/snapshot-rules.ts';
import { getIntelligence } from './contract.ts';
import type { Intelligence } from './contract-shapes.ts';
import { EARLY_BUYERS } from './followed-wallets.ts';
import { MOST_POSITIONS } from './intelligence-reads.ts';
import { readSlotMs } from './slot-reads.ts';

/** Slots of 250 ms that the store holds whole, the coin's creation among them. */
const FIRST = 1_000_000;
const CREATED = FIRST + 1_500;
const LAST = FIRST + 2_000;
const START = 1_794_000_000;
const timeOf = (slot: number) => START + Math.floor((slot - FIRST) / 4);
const clock = { now: () => timeOf(LAST) * 1_000, elapsed: () => 0, sleep: () => new Promise<void>(() => {}) };

let test: TestStore;

beforeAll(async () => {
  test = await openTestStore();
  const blocks = Array.from({ length: LAST - FIRST + 1 }, (_, i) => blockRow(FIRST + i));
  await flush([['blocks', encodeRows(BLOCKS, blocks)]]);
});

afterAll(() => test?.close());

function blockRow(slot: number) {
  return {
    ...{ slot, blockhash: '', parent_slot: slot - 1, time: timeOf(slot), transactions: 0, failed: 0, votes: 0 },
    ...{ swaps: 0, attempts: 0, fees: 0n, priority_fees: 0n, tips: 0n },
  };
}

/** Writes rows of slots that are whole from then on. */
async function flush(tables: readonly (readonly [FactTable['name'], RowBytes])[]) {
  await test.store.writer.flush([{ firstSlot: FIRST, lastSlot: LAST, closesSlots: true, tables: new Map(tables) }]);
}

function creation(mint: Address, more: Partial<TokenCreationRow> = {}): TokenCreationRow {
  return {
    ...{ mint, slot: CREATED, block_index: 0, ix_index: 0, time: timeOf(CREATED), signature: new Uint8Array(64) },
    ...{ partial: false, creator: address(20), fee_creator: '', name: 'Coin', symbol: 'C', uri: '' },
    ...{ bonding_curve: address(51), decimals: 6, token_program: '', quote_mint: '', mayhem: false, cashback: false },
    ...{ holder_reward: false, creator_fee_bps: 0, curve_depth: 0, virtual_token_reserves: 0n },
    ...{ virtual_quote_reserves: 0n, real_token_reserves: 0n, supply: 0n },
    ...more,
  };
}

describe('the time of a slot', () => {
  it.each([
    ['of the thousand slots before', LAST, 250],
    ['of those behind, where the data begin', FIRST + 20, 250],
    ['of those behind, in the very first second', FIRST + 2, 250],
    ['unknown without enough of either', LAST + 5_000, undefined],
  ])('is that %s', async (_what, slot, expected) => {
    const measured = await readSlotMs(test.store.client, slot);
    expect(measured).toBe(expected);
  });
});

describe('the history of a token', () => {
  const history = () => createStoreHistory(test.store.client, clock);

  it('is whole when its creation was seen in a whole block and nothing is missing since', async () => {
    const whole = history();
    expect(await whole.isWhole(creation(address(1)), LAST)).toBe(true);
    expect(await whole.isWhole(creation(address(1), { slot: FIRST - 1 }), LAST)).toBe(false);
    expect(await whole.isWhole(creation(address(1)), LAST + 1)).toBe(false);
    expect(await whole.isWhole(creation(address(1), { partial: true }), LAST)).toBe(false);
    expect(await whole.isWhole(undefined, LAST)).toBe(false);
  });

  it('is not whole once some of its moves may have been let go', async () => {
    const today = Math.floor(Date.now() / 1_000);
    const since = creation(address(1), { time: today });
    const older = creation(address(1), { time: today - 8 * 86_400 });
    await applyRetention(test.store.client, readRetention('burns=7d'), silentLogger);
    const limited = history();
    expect([await limited.isWhole(since, LAST), await limited.isWhole(older, LAST)]).toEqual([true, false]);
    expect(await limited.hasSwaps(older, LAST)).toBe(true);
    await applyRetention(test.store.client, readRetention('swaps=7d'), silentLogger);
    expect(await history().hasSwaps(since, LAST)).toBe(true);
    expect(await history().hasSwaps(older, LAST)).toBe(false);
    await applyRetention(test.store.client, readRetention('forever'), silentLogger);
    expect(await history().isWhole(older, LAST)).toBe(false);
    await test.store.client.command({ query: 'TRUNCATE TABLE let_go' });
  });
});

describe('intelligence of the store', () => {
  const wallet = (seed: number): Address => {
    const bytes = new Uint8Array(32).fill(7);
    new DataView(bytes.buffer).setUint32(0, seed);
    return encodeAddress(bytes);
  };

  async function ask(mint: Address, snapshot?: HolderSnapshot): Promise<Intelligence> {
    const feed = createFeed({ maxHeldBatches: 10 });
    feed.commit(LAST, 0);
    const shelf = createBookShelf({ feed, limits: DEFAULT_BOOK_LIMITS });
    const { client } = test.store;
    const answers = openIntelligence({
      ...{ client, feed, clock, shelf },
      holderSnapshots: { find: () => snapshot },
    });
    const body = JSON.parse((await answers.intelligence(mint))!.toString());
    expect(answerFaults(getIntelligence, body)).toEqual([]);
    return body;
  }

  const stored = (mint: Address, seed: number, bought: bigint, sold = 0n) => ({
    ...position(wallet(seed), bought, sold, { slot: LAST, first_slot: CREATED + 40, first_time: timeOf(CREATED) }),
    ...{ mint, block_index: 0, ix_index: 0 },
  });

  const launchSwap = (mint: Address, trader: Address, more: Partial<SwapRow> = {}) =>
    storedBuy(mint, trader, { slot: CREATED + 2, time: timeOf(CREATED), ...more });

  async function write(mint: Address, rows: Parameters<typeof flush>[0]) {
    // Late rows: the slots are closed already.
    const tables = new Map([['token_creations', encodeRows(TOKEN_CREATIONS, [creation(mint)])] as const, ...rows]);
    await test.store.writer.amend(tables);
  }

  it('tells of a history that is too long by sums and by the wallets of the launch alone', async () => {
    const mint = address(12);
    const count = MOST_POSITIONS + 1;
    const rows = Array.from({ length: count }, (_, seed) => stored(mint, seed, 10n, seed % 2 === 0 ? 3n : 0n));
    // More snipers than early buyers: the last of them gets out.
    const snipers = Array.from({ length: EARLY_BUYERS + 10 }, (_, i) => wallet(5 + i));
    const launch = snipers.map((trader, i) => launchSwap(mint, trader, { block_index: 2 * i }));
    const leaver = snipers.at(-1)!;
    const last = rows[5 + snipers.length - 1]!;
    Object.assign(last, { tokens_sold: 6n, token_balance: 4n });
    const exit = launchSwap(mint, leaver, { slot: LAST - 1, is_buy: false, token_amount: 6n });
    await write(mint, [
      ['positions', encodeRows(POSITIONS, rows)],
      ['swaps', encodeRows(SWAPS, [...launch, exit])],
    ]);
    const body = await ask(mint);
    expect(body).toMatchObject({
      ...{ partial: true, supported: true, pnl: { source: 'swap_estimate' } },
      ...{ buyers: count, sellers: Math.ceil(count / 2), buy_sol: String(count * 10) },
    });
    expect(body.wallets.map((row) => row.wallet)).toEqual(snipers.slice(0, EARLY_BUYERS));
    expect(body.snipers).toMatchObject({ total: snipers.length, unknown: snipers.length, max_slots: 4 });
    expect(body.events).toMatchObject([{ kind: 'sniper_exit', wallet: leaver }]);
  });

  it('tells nothing of ownership when 1 % of the supply came out of nowhere', async () => {
    const supply = 10n ** 15n;
    for (const [mint, untold] of [
      [address(13), supply / 100n],
      [address(14), supply / 100n - 1n],
    ] as const) {
      const sent = { mint, slot: CREATED + 60, block_index: 1, ix_index: 1, time: timeOf(CREATED + 60) };
      const row = {
        ...sent,
        signature: new Uint8Array(64),
        partial: false,
        decimals: 6,
        ambiguous: false,
        hidden: false,
      };
      await write(mint, [
        ['positions', encodeRows(POSITIONS, [stored(mint, 1, 1_000n), stored(mint, 2, 0n, untold)])],
        ['transfers', encodeRows(TRANSFERS, [{ ...row, sender: wallet(1), receiver: wallet(3), amount: 400n }])],
        ['swaps', encodeRows(SWAPS, [launchSwap(mint, wallet(1))])],
      ]);
    }
    const hidden = await ask(address(13));
    expect(hidden).toMatchObject({ balances_unreconciled: true, untraced_supply_pct: 1, partial: false });
    expect(hidden.pnl).toEqual({ source: 'indexed_transfers' });
    expect(hidden.wallets[0]).not.toHaveProperty('token_balance');
    const told = await ask(address(14));
    expect(told).toMatchObject({ balances_unreconciled: false, untraced_supply_pct: 0.99, pnl: { total: 2 } });
    expect(told.wallets.map((row) => [row.wallet, row.token_balance, row.transferred_in, row.transferred_out])).toEqual(
      [
        [wallet(1), '600', '0', '400'],
        [wallet(3), '400', '400', '0'],
        [wallet(2), String(1n - supply / 100n), '0', '0'],
      ],
    );
    expect(told.wallets[1]?.roles).toEqual(['airdropped']);
    expect(told.wallets[2]?.holding_state).toBe('unknown');
  });

  it('takes a token whose positions wait to be folded again for one whose history is not whole', async () => {
    const mint = address(15);
    const mark = { mint, mark: 7, slot: CREATED + 40, firstSlot: CREATED + 40, holdingsOnly: false };
    await write(mint, [
      ['positions', encodeRows(POSITIONS, [stored(mint, 1, 1_000n)])],
      ['swaps', encodeRows(SWAPS, [launchSwap(mint, wallet(1))])],
      ['stale_positions', encodeStale([mark], false)],
    ]);
    // Costs are as wrong as balances: not even the chain's balances help.
    const snapshot = { slot: LAST, readAt: timeOf(LAST) * 1_000, balances: new Map([[wallet(1), 1_000n]]) };
    for (const asked of [undefined, snapshot]) {
      expect(await ask(mint, asked)).toMatchObject({ partial: true, pnl: { source: 'swap_estimate' } });
    }
    await test.store.writer.amend(new Map([['stale_positions', encodeStale([mark], true)]]));
    // Whose holdings alone are to be folded has positions that are right.
    const ofHoldings = { ...mark, mark: 8, firstSlot: 0, holdingsOnly: true };
    await test.store.writer.amend(new Map([['stale_positions', encodeStale([ofHoldings], false)]]));
    expect(await ask(mint)).toMatchObject({ partial: false, pnl: { source: 'indexed_transfers', total: 1 } });
  });

  it('does not take the snipers that it knows for all of them where slots of the launch are missing', async () => {
    for (const [mint, slot, partial] of [
      [address(16), FIRST - 2, true],
      [address(17), FIRST, false],
    ] as const) {
      const born = creation(mint, { slot, time: timeOf(slot) });
      await test.store.writer.amend(
        new Map([
          ['token_creations', encodeRows(TOKEN_CREATIONS, [born])],
          ['swaps', encodeRows(SWAPS, [launchSwap(mint, wallet(1), { slot })])],
        ]),
      );
      expect((await ask(mint)).snipers).toMatchObject({ total: 1, max_slots: 4, partial });
    }
  });

  it('values what the chain told of a token without canonical pool at the price of its deepest one', async () => {
    const mint = address(18);
    const swap = launchSwap(mint, wallet(1), {
      ...{ venue: 1, pool: address(61), priced: false, token_amount: 1_000n },
    });
    const left = { reserves_known: true, real_quote_reserves: 10n ** 12n, real_token_reserves: 10n ** 12n };
    await test.store.writer.amend(
      new Map([
        ['positions', encodeRows(POSITIONS, [stored(mint, 1, 1_000n)])],
        ['swaps', encodeRows(SWAPS, [{ ...swap, ...left, price_quote: 3n, price_token: 1n }])],
      ]),
    );
    const told = hydratedToken(mint, { slot: FIRST, checked_at: START });
    await appendRows(test.store.client, HYDRATED_TOKENS, [told]);
    const body = await ask(mint, {
      slot: LAST,
      readAt: timeOf(LAST) * 1_000,
      balances: new Map([[wallet(1), 1_000n]]),
    });
    expect(body).toMatchObject({ partial: true, pnl: { source: 'onchain', total: 1, profit: 1 } });
    expect(body.wallets[0]).toMatchObject({ token_balance: '1000', unrealized_pnl: '2000' });
  });

  it('names no receiver where several sent to several', async () => {
    const mint = address(19);
    const send = (index: number, ambiguous: boolean) => ({
      ...{ mint, slot: CREATED + 60, block_index: index, ix_index: 1, time: timeOf(CREATED + 60), partial: false },
      ...{
        signature: new Uint8Array(64),
        decimals: 6,
        sender: address(20),
        receiver: wallet(3),
        amount: 4n,
        ambiguous,
        hidden: false,
      },
    });
    await write(mint, [
      ['transfers', encodeRows(TRANSFERS, [send(1, false), send(2, true)])],
      ['swaps', encodeRows(SWAPS, [launchSwap(mint, wallet(1))])],
    ]);
    const { events } = await ask(mint);
    expect(events.map(({ kind, counterparty }) => [kind, counterparty])).toEqual([
      ['dev_transfer_out', undefined],
      ['dev_transfer_out', wallet(3)],
    ]);
  });
});
