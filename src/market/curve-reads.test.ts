import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHandClock } from '../../test/support/hand-clock.ts';
import { CHAIN_WALL, handBlock } from '../../test/support/market-chain.ts';
import { createMemoryCurves } from '../../test/support/memory-curves.ts';
import { openTestStore, type TestStore } from '../../test/support/store.ts';
import { worldBatch } from '../../test/support/token-world.ts';
import { address } from '../../test/support/token-world-rows.ts';
import { USUAL_TOKENS } from '../token/curve-progress.ts';
import type { CurveBook } from './curve-book.ts';
import { type CurveReads, createCurveReads, readCurves } from './curve-reads.ts';
import { createWindowReads } from './market-reads.ts';

const NOW = CHAIN_WALL - 100;
const MINTS = Array.from({ length: 200 }, (_, at) => address(at + 1));
/** Of a minute: 200 swaps each. */
const BLOCKS = 60;
const AHEAD_S = 86_400;

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore();
});
afterAll(() => test?.close());

/** Every curve moves in every block; the block before the last tells tomorrow's time. */
function blockAt(at: number) {
  const isAhead = at === BLOCKS - 2;
  const swaps = MINTS.map((mint, place) => ({
    ...{ mint, venue: 0, quote_mint: '' as const, quote_decimals: 9, is_buy: true, token_amount: 1_000n },
    real_token_reserves: USUAL_TOKENS - BigInt(1_000 * (at + 1) + place),
  }));
  const births = at === 0 ? MINTS.map((mint) => ({ mint })) : [];
  return handBlock(at, NOW - BLOCKS + 1 + at + (isAhead ? AHEAD_S : 0), { births, swaps });
}

it('reads every curve of a store with more samples than an answer has rows, and what runs ahead', async () => {
  const blocks = Array.from({ length: BLOCKS }, (_, at) => blockAt(at));
  await test.store.writer.flush(blocks.map((block) => worldBatch(block)));
  const clock = createHandClock(CHAIN_WALL * 1_000);
  const { signal } = new AbortController();
  const read = (reads: CurveReads) => readCurves(reads, { clock, mark: blocks.at(-1)!.slot, signal });
  const stored = await read(createCurveReads(test.store.client, createWindowReads(test.store.client)));
  const plain = await read(createMemoryCurves(() => blocks));
  const listOf = (book: CurveBook, now: number) => MINTS.map((mint) => book.figures(mint, { now }));
  expect(stored.book.held).toBe((BLOCKS - 1) * MINTS.length);
  expect(listOf(stored.book, NOW)).toEqual(listOf(plain.book, NOW));
  expect(listOf(stored.book, NOW).every((figures) => figures !== undefined)).toBe(true);
  expect(stored.firstSlot).toBe(blocks[0]!.slot);
  // With the last one taken out again, that of tomorrow is the newest.
  stored.book.takeBack(MINTS, blocks.at(-1)!.slot);
  stored.book.add([], [], NOW + AHEAD_S);
  expect(listOf(stored.book, NOW + AHEAD_S).filter((figures) => figures !== undefined)).toHaveLength(MINTS.length);
});
