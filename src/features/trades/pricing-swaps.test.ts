import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extent } from '../../../test/support/extent.ts';
import { createMemoryReads } from '../../../test/support/memory-reads.ts';
import { openTestStore, type TestStore } from '../../../test/support/store.ts';
import type { TokenBooks } from '../../../test/support/token-books.ts';
import { createBookReads, openTokenBooks } from '../../../test/support/token-books.ts';
import { relocateWorld, worldBatch, worldBlocks, worldMint } from '../../../test/support/token-world.ts';
import { address, WORLD_MINTS, type WorldBlock } from '../../../test/support/token-world-rows.ts';
import type { Body } from '../../books/body-cache.ts';
import { DEFAULT_BOOK_LIMITS } from '../../books/book-limits.ts';
import type { Address } from '../../chain/address.ts';
import { createFeed } from '../../feed/in-process.ts';
import type { SwapRow } from '../../store/clickhouse/schema/tables.ts';
import type { CandleRange } from './candle-series.ts';

const NOW = 1_790_000_000;
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
const clock = { now: () => NOW * 1000, elapsed: () => 0, sleep: () => new Promise<void>(() => {}) };
/** Books that end in the middle of what is asked. */
const SHORT = { ...DEFAULT_BOOK_LIMITS, sizes: { ...DEFAULT_BOOK_LIMITS.sizes, ticks: 2, candles: 2 } };

/** The same world where nobody launched anything: pools of anybody, each of one quote, in turns. */
function withoutLaunches(blocks: readonly WorldBlock[]): WorldBlock[] {
  return blocks.map((block) => ({
    ...block,
    creations: [],
    completions: [],
    graduations: [],
    creatorChanges: [],
    swaps: block.swaps.map((swap, i) => {
      const turn = (block.slot + i) % 3;
      const quote =
        turn === 0 ? { quote_mint: USDC, quote_decimals: 6 } : { quote_mint: '' as const, quote_decimals: 9 };
      return { ...swap, ...quote, venue: 1, priced: false, reserves_known: true, pool: address(61 + turn) };
    }),
  }));
}

describe('ticks and candles of a token that nothing prices', () => {
  let opened: TestStore;
  beforeAll(async () => {
    opened = await openTestStore();
  });
  afterAll(() => opened?.close());

  it('are of its deepest pool alone, out of plain rows, of the store and of books that grew', async () => {
    const seen = { sol: 0, dollars: 0 };
    for (const [world, shape] of fc.sample(worldBlocks(NOW, 30), { numRuns: extent(2, 3), seed: 99 }).entries()) {
      const blocks = relocateWorld(withoutLaunches(shape), world);
      const memory = createMemoryReads();
      const feed = createFeed({ maxHeldBatches: 100 });
      const reads = createBookReads(opened.store.client);
      const hot = openTokenBooks({ reads, feed, clock, limits: DEFAULT_BOOK_LIMITS });
      const short = openTokenBooks({ reads, feed, clock, limits: SHORT });
      const mints = WORLD_MINTS.map((mint) => worldMint(mint, world));
      for (const [index, block] of blocks.entries()) {
        const batch = worldBatch(block);
        await opened.store.writer.flush([batch]);
        memory.add(block);
        feed.publish(batch);
        feed.commit(block.slot, 1);
        // From here on books grow by the feed alone.
        if (index !== Math.floor(blocks.length / 2)) continue;
        for (const mint of mints) await Promise.all([marketAnswers(hot, mint), marketAnswers(short, mint)]);
      }
      const plain = openTokenBooks({ reads: memory, feed, clock, limits: DEFAULT_BOOK_LIMITS });
      const cold = openTokenBooks({ reads, feed, clock, limits: { ...DEFAULT_BOOK_LIMITS, maxBooks: 0 } });
      for (const mint of mints) {
        const answers = await marketAnswers(plain, mint);
        for (const books of [cold, hot, short]) expect(await marketAnswers(books, mint)).toEqual(answers);
        const swaps = blocks.flatMap((block) => block.swaps).filter((swap) => swap.mint === mint);
        if (swaps.length === 0) continue;
        const pool = deepest(swaps);
        expectPool(answers, pool);
        seen[pool[0]!.quote_mint === '' ? 'sol' : 'dollars'] += 1;
      }
      for (const books of [hot, short, plain, cold]) books.close();
    }
    expect(Math.min(seen.sol, seen.dollars)).toBeGreaterThan(0);
  });
});

/** Swaps of the pool with the most in it after its newest one; SOL counts for 100 dollars. */
function deepest(swaps: readonly SwapRow[]): readonly SwapRow[] {
  const pools = [...new Set(swaps.map(({ pool }) => pool))].map((pool) => swaps.filter((swap) => swap.pool === pool));
  const depth = (own: readonly SwapRow[]) =>
    own.at(-1)!.real_quote_reserves * (own[0]!.quote_mint === '' ? 100n : 1_000n);
  return pools.toSorted((a, b) => Number(depth(b) - depth(a)))[0]!;
}

function expectPool(answers: Awaited<ReturnType<typeof marketAnswers>>, swaps: readonly SwapRow[]): void {
  const { last_price, last_quote_price, quote_mint } = JSON.parse(answers.snapshot);
  const price = Number(last_quote_price ?? last_price);
  const ticks = JSON.parse(answers.ticks);
  expect(ticks.t).toEqual(swaps.map(({ time }) => time * 1000));
  expect(ticks.p.at(-1)).toBeCloseTo(price, 9);
  const [own, other] = [JSON.parse(answers.days).data, JSON.parse(answers.dollars).data];
  const candles = quote_mint === undefined ? own : other;
  expect(quote_mint === undefined ? other : own).toEqual([]);
  expect(candles.reduce((sum: number, { trades }: { trades: number }) => sum + trades, 0)).toBe(swaps.length);
  expect(candles.at(-1).close).toMatch(/[1-9]/);
  if (quote_mint === undefined) expect(Number(candles.at(-1).close)).toBeCloseTo(price, 9);
}

/** Answers that a token's price is in, as text. */
async function marketAnswers(books: TokenBooks, mint: Address) {
  const text = async (body: Body) => String(await body);
  const whole = { interval: '1m', from: 0, to: undefined, limit: 1_500, quote: undefined, fill: false } as const;
  const candles = (range: Partial<CandleRange>) => text(books.candles(mint, { ...whole, ...range }));
  const ticks = (limit: number) =>
    text(books.ticks(mint, { quote: undefined, before: undefined, after: undefined, limit }));
  return {
    snapshot: await text(books.snapshot(mint)),
    ticks: await ticks(2_000),
    fewTicks: await ticks(1),
    seconds: await candles({ interval: '1s' }),
    fewMinutes: await candles({ limit: 2 }),
    lastMinutes: await candles({ from: undefined, fill: true }),
    days: await candles({ interval: '1d' }),
    dollars: await candles({ interval: '1d', quote: USDC }),
  };
}
