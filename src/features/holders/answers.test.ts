import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerFaults } from '../../../test/support/answer-schema.ts';
import { extent } from '../../../test/support/extent.ts';
import { createBookReads, createTokenBooks } from '../../../test/support/token-books.ts';
import { worldMint } from '../../../test/support/token-world.ts';
import { WORLD_MINTS } from '../../../test/support/token-world-rows.ts';
import { openWorldStore, type WorldStore } from '../../../test/support/world-store.ts';
import { DEFAULT_BOOK_LIMITS } from '../../books/book-limits.ts';
import { createBookShelf } from '../../books/book-shelf.ts';
import type { Address } from '../../chain/address.ts';
import { Absence } from '../../contract/stamp.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { SwapRow } from '../../store/clickhouse/schema/tables.ts';
import { createHolderAnswers, type HolderAnswers, type HolderAnswersDeps, type TraderSort } from './answers.ts';
import { getHolderHistory, HISTORY_INTERVALS, type HistoryInterval, listTraders } from './contract.ts';
import { HISTORY_SPANS } from './history-body.ts';
import { createHolderStats } from './stats.ts';

const NOW = 1_790_000_000;
const WORLDS = extent(4, 8);
const INTERVALS = HISTORY_INTERVALS;
const SORTS: readonly TraderSort[] = ['realized', 'volume', 'bought', 'trades'];
const clock: Clock = { now: () => NOW * 1000, elapsed: () => 0, sleep: () => new Promise(() => {}) };

let opened: WorldStore;

beforeAll(async () => {
  opened = await openWorldStore(NOW, WORLDS);
});

afterAll(() => opened?.close());

const isWhole = async () => true;

function open(more: Partial<HolderAnswersDeps> = {}) {
  const { client, feed } = opened;
  const limits = DEFAULT_BOOK_LIMITS;
  const shelf = createBookShelf({ feed, limits });
  const solUsd = () => 150;
  const reads = createBookReads(client);
  const books = createTokenBooks({ reads, feed, clock, shelf, sizes: limits.sizes, solUsd });
  const stats = createHolderStats({ client, clock, feed, snapshots: undefined, isWhole });
  const deps = {
    client,
    feed,
    clock,
    shelf,
    sizes: limits.sizes,
    stats,
    snapshots: undefined,
    isWhole,
    hasSwaps: isWhole,
  };
  const answers = createHolderAnswers({ ...deps, ...more });
  return { books, answers };
}

const mints = () =>
  Array.from({ length: WORLDS }).flatMap((_, world) => WORLD_MINTS.map((mint) => worldMint(mint, world)));
const swapsOf = (mint: Address) => opened.blocks.flatMap(({ swaps }) => swaps).filter((swap) => swap.mint === mint);
const known = () => mints().filter((mint) => swapsOf(mint).length > 0);

/** Trades of a wallet, added up in the plainest way. */
interface Wallet {
  readonly trader: string;
  readonly balance: bigint;
  readonly sums: ReadonlyMap<string, { readonly bought: bigint; readonly received: bigint }>;
  readonly trades: number;
}

function walletsOf(swaps: readonly SwapRow[]): Wallet[] {
  const traders = [...new Set(swaps.filter((swap) => !swap.protocol_actor).map(({ trader }) => trader))];
  return traders.map((trader) => {
    const own = swaps.filter((swap) => swap.trader === trader && !swap.protocol_actor);
    const sums = new Map<string, { bought: bigint; received: bigint }>();
    let balance = 0n;
    for (const { is_buy, quote_mint, quote_amount, token_amount } of own) {
      const { bought, received } = sums.get(quote_mint) ?? { bought: 0n, received: 0n };
      sums.set(
        quote_mint,
        is_buy ? { bought: bought + quote_amount, received } : { bought, received: received + quote_amount },
      );
      balance += is_buy ? token_amount : -token_amount;
    }
    return { trader, balance, sums, trades: own.length };
  });
}

const text = async (body: ReturnType<HolderAnswers['traders']>) => JSON.parse(String(await body));

describe('traders of a token', () => {
  it.each(SORTS)('are all there by %s, in its order, and a page is their beginning', async (sort) => {
    const { answers, books } = open();
    let unknown = 0;
    for (const mint of known()) {
      const own = JSON.parse(String(await books.snapshot(mint))).quote_mint ?? '';
      const all = await text(answers.traders(mint, { sort, limit: 500 }));
      expect(answerFaults(listTraders, all)).toEqual([]);
      const wallets = new Map(walletsOf(swapsOf(mint)).map((wallet) => [wallet.trader, wallet]));
      expect(all.data.map(({ trader }: { trader: string }) => trader).sort()).toEqual([...wallets.keys()].sort());
      const order = all.data.map((row: Row) => orderOf(row, wallets.get(row.trader)!, own, sort));
      expect(order).toEqual(order.toSorted(byOrder));
      const { data: page } = await text(answers.traders(mint, { sort, limit: 2 }));
      expect(page).toEqual(all.data.slice(0, 2));
      for (const row of all.data) {
        const { balance } = wallets.get(row.trader)!;
        expect(row.mint).toBe(mint);
        // Nothing negative is told, and nothing of who sold what it was not seen to buy.
        if (row.partial) expect([row.token_balance, row.realized_pnl]).toEqual([undefined, undefined]);
        else expect([row.token_balance, balance >= 0n]).toEqual([String(balance), true]);
        unknown += row.partial ? 1 : 0;
        expect(row.trade_count).toBe(wallets.get(row.trader)!.trades);
      }
    }
    expect(unknown).toBeGreaterThan(0);
  });

  it('have the rows that holders have, but for the name', async () => {
    const { answers, books } = open();
    for (const mint of known()) {
      const { data } = await text(answers.traders(mint, { sort: 'realized', limit: 500 }));
      const holders = JSON.parse(String(await books.holders(mint, 500))).data;
      for (const { symbol: _symbol, name: _name, ...holder } of holders) expect(data).toContainEqual(holder);
    }
  });

  it('are not there for a mint of which nothing is known', async () => {
    const { answers } = open();
    const nobody = worldMint(WORLD_MINTS[0]!, 40);
    expect(await answers.traders(nobody, { sort: 'realized', limit: 5 })).toBeInstanceOf(Absence);
    expect(await answers.holderHistory(nobody, '1h')).toBeInstanceOf(Absence);
  });

  it('are at hand, without a promise, while they are fresh', async () => {
    const { answers } = open();
    const [mint] = known();
    const made = await answers.traders(mint!, { sort: 'trades', limit: 3 });
    expect(answers.traders(mint!, { sort: 'trades', limit: 3 })).toBe(made);
  });
});

interface Row {
  readonly trader: string;
  readonly realized_pnl?: string;
  readonly quote_mint?: string;
}

type Order = readonly [group: number, quote: string, figure: bigint, trader: string];

/** Sort key of a row: smaller keys come first, but of the figure the larger one does. */
function orderOf(row: Row, wallet: Wallet, own: string, sort: TraderSort): Order {
  const inOwn = wallet.sums.get(own) ?? { bought: 0n, received: 0n };
  const { trader } = row;
  if (sort === 'volume') return [0, '', inOwn.bought + inOwn.received, trader];
  if (sort === 'bought') return [0, '', inOwn.bought, trader];
  if (sort === 'trades') return [0, '', BigInt(wallet.trades), trader];
  if (row.realized_pnl === undefined) return [2, '', BigInt(wallet.trades), trader];
  const quote = row.quote_mint ?? '';
  return [quote === own ? 0 : 1, quote, BigInt(row.realized_pnl), trader];
}

function byOrder(a: Order, b: Order): number {
  if (a[0] !== b[0]) return a[0] - b[0];
  if (a[1] !== b[1]) return a[1] < b[1] ? -1 : 1;
  if (a[2] !== b[2]) return a[2] > b[2] ? -1 : 1;
  return a[3] < b[3] ? -1 : 1;
}

/** Holders at the end of every bucket, by adding up from the beginning for each. */
function counted(swaps: readonly SwapRow[], interval: HistoryInterval) {
  const { step, buckets } = HISTORY_SPANS[interval];
  const last = NOW - (NOW % step);
  const rows: { time: string; holders: number }[] = [];
  for (let start = last - (buckets - 1) * step; start <= last; start += step) {
    const soFar = swaps.filter(({ time }) => time < start + step);
    if (soFar.every((swap) => swap.protocol_actor)) continue;
    const holders = walletsOf(soFar).filter(({ balance }) => balance > 0n).length;
    rows.push({ time: new Date(start * 1000).toISOString().replace('.000', ''), holders });
  }
  return rows;
}

describe('the history of holders', () => {
  it.each(INTERVALS)('in %s is what counting from the beginning gives, bucket for bucket', async (interval) => {
    const { answers } = open();
    let changes = 0;
    for (const mint of known()) {
      const body = await text(answers.holderHistory(mint, interval));
      expect(answerFaults(getHolderHistory, body)).toEqual([]);
      expect(body).toEqual({ data: counted(swapsOf(mint), interval) });
      changes += new Set(body.data.map(({ holders }: { holders: number }) => holders)).size - 1;
    }
    if (interval !== '1d') expect(changes).toBeGreaterThan(extent(2, 5));
  });

  it.each([
    ['with too many swaps', { maxHistorySwaps: 0 }],
    ['whose first swaps may have been let go', { wholeSince: async () => new Map([['swaps', 2 ** 32 - 1]]) }],
  ])('of a token %s is an estimate, says so, and ends with those who hold now', async (_which, more) => {
    const { answers, books } = open(more);
    for (const mint of known()) {
      const body = await text(answers.holderHistory(mint, '5m'));
      expect(answerFaults(getHolderHistory, body)).toEqual([]);
      expect(body.partial).toBe(true);
      const holders = JSON.parse(String(await books.holders(mint, 500))).data.length;
      const { data } = await text(answers.traders(mint, { sort: 'trades', limit: 500 }));
      // Trades alone are counted, and they leave something with wallets whose balance is not known.
      const partial = new Set(
        data.flatMap((row: { partial?: true; trader: string }) => (row.partial ? row.trader : [])),
      );
      const unknown = walletsOf(swapsOf(mint)).filter(({ trader, balance }) => balance > 0n && partial.has(trader));
      expect(body.data.at(-1)?.holders ?? 0).toBe(holders + unknown.length);
      const exact = counted(swapsOf(mint), '5m');
      expect(body.data.length).toBeLessThanOrEqual(exact.length);
    }
  });
});

describe('the history of holders of a token some of whose blocks are missing', () => {
  it('counts what is known, and says that it is not all', async () => {
    const { answers } = open({ hasSwaps: async () => false });
    for (const mint of known()) {
      const body = await text(answers.holderHistory(mint, '1d'));
      expect(answerFaults(getHolderHistory, body)).toEqual([]);
      expect(body).toEqual({ data: counted(swapsOf(mint), '1d'), partial: true });
    }
  });
});

describe('the history of holders of a token that began while swaps are kept', () => {
  it('is exact', async () => {
    const { answers } = open({ wholeSince: async () => new Map([['swaps', 1]]) });
    const born = opened.blocks.flatMap(({ creations }) => creations).find(({ time }) => time > 0);
    expect(await text(answers.holderHistory(born!.mint as Address, '1d'))).not.toHaveProperty('partial');
  });
});
