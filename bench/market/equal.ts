import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Address } from '../../src/chain/address.ts';
import { ApiError } from '../../src/contract/errors.ts';
import { createFeed } from '../../src/feed/in-process.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createLogger, silentLogger } from '../../src/kernel/log.ts';
import { createMarket, type Market } from '../../src/market/market.ts';
import { createWindowReads } from '../../src/market/market-reads.ts';
import type { MarketWindows } from '../../src/market/market-windows.ts';
import { openStore } from '../../src/store/clickhouse/store.ts';
import { worldBatch } from '../../test/support/token-world.ts';
import type { WorldBlock } from '../../test/support/token-world-rows.ts';
import { toldBy } from '../../test/support/told-windows.ts';
import { createRandom } from '../disk/random.ts';
import type { Figures } from '../run/benchmark.ts';
import { rounded } from '../run/statistics.ts';
import { createUnsteadyChain, type Step } from './unsteady-chain.ts';
import { type Told, toldBySql } from './windows-by-sql.ts';

/** Blocks from one instant to the next, at most. */
const MOST_BLOCKS = 30;
/** Blocks that wait for the store at most, and those that stay behind a flush: they may be withdrawn. */
const MOST_HELD = 16;
const KEPT = 4;
/**
 * No block waits for the store for so many seconds of the chain's time: a halt of the chain leaves the store more time than
 * it needs. What is read again beneath a block that waits and is older than an hour would lose it.
 */
const MOST_HELD_S = 3_000;
/** Below what a question waits for windows that still read: whoever is told sooner was told that nothing is left to do. */
const IDLE_MS = 200;
const MAX_WAIT_MS = 120_000;
const PROGRESS_EVERY = 20;

/** A made-up chain that withdraws blocks and lets others come late, followed by the real windows and by a real store. */
export async function measureEqual(instants: number, leaps: number): Promise<Figures> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mintscope-bench-equal-'));
  const store = await openStore({ url: undefined, dataDir, log: createLogger('error'), clock: systemClock });
  const chain = createUnsteadyChain(createRandom(17), leaps);
  const feed = createFeed({ maxHeldBatches: 1_000 });
  // The chain passes faster than time does: the wall shows what its newest block tells.
  const clock = { ...systemClock, now: () => chain.time * 1_000 };
  const market = createMarket({ reads: createWindowReads(store.client), feed, clock, log: silentLogger });
  const held: WorldBlock[] = [];
  const counts = { blocks: 0, swaps: 0, withdrawn: 0, late: 0 };

  async function commit(least: number): Promise<void> {
    if (held.length <= least) return;
    const blocks = held.splice(0, held.length - least);
    await store.writer.flush(blocks.map((block) => worldBatch(block)));
    feed.commit(blocks.at(-1)!.slot, blocks.length);
  }

  async function take(step: Step): Promise<void> {
    if (step.kind === 'withdrawn') {
      const block = held.pop();
      if (block === undefined) return;
      chain.takeBack(held.at(-1));
      feed.withdraw(block.slot);
      counts.withdrawn += 1;
      counts.swaps -= block.swaps.length;
      return;
    }
    const { block } = step;
    counts.swaps += block.swaps.length;
    if (step.kind === 'late') {
      // What fills a hole lies beneath what the store has already.
      if (block.slot > feed.committedSlot) await commit(0);
      await store.writer.flush([worldBatch(block)]);
      feed.changed([...new Set(block.swaps.map(({ mint }) => mint as Address))], {
        first: block.slot,
        last: block.slot,
      });
      counts.late += 1;
      return;
    }
    if (held.length > 0 && block.time - held[0]!.time > MOST_HELD_S) await commit(0);
    held.push(block);
    feed.publish(worldBatch(block));
    counts.blocks += 1;
    if (held.length > MOST_HELD) await commit(KEPT);
  }

  try {
    const spent = { sqlMs: 0, figures: 0 };
    for (let instant = 1; instant <= instants; instant += 1) {
      for (const step of chain.steps(MOST_BLOCKS, () => held.length)) await take(step);
      const told = toldBy(await atRest(market), chain.mints);
      await commit(0);
      const begun = performance.now();
      const expected = await toldBySql(store.client, chain.mints, told.now);
      spent.sqlMs += performance.now() - begun;
      spent.figures += assertSame(told, expected, `instant ${instant} of ${instants}, second ${told.now}`);
      if (instant % PROGRESS_EVERY === 0) console.error(`equal: ${instant} instants, ${JSON.stringify(counts)}`);
    }
    const least = Math.min(counts.withdrawn, counts.late);
    if (least === 0) throw new Error(`nothing was withdrawn, or late: ${JSON.stringify(counts)}`);
    return {
      equal_instants: instants,
      equal_bar_instants: 1_000,
      equal_figures: spent.figures,
      equal_blocks: counts.blocks,
      equal_swaps: counts.swaps,
      equal_withdrawn: counts.withdrawn,
      equal_late: counts.late,
      equal_days: rounded(chain.seconds / 86_400, 1),
      equal_sql_ms: rounded(spent.sqlMs / instants, 1),
    };
  } finally {
    market.close();
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The windows once they have read whatever there is to read again, and every earlier price. */
async function atRest(market: Market): Promise<MarketWindows> {
  const until = performance.now() + MAX_WAIT_MS;
  while (performance.now() < until) {
    const asked = performance.now();
    try {
      const windows = await market.open();
      if (performance.now() - asked < IDLE_MS && market.staleSpans === 0) return windows;
    } catch (error) {
      // They are made anew, which takes as long as it takes.
      if (!(error instanceof ApiError)) throw error;
    }
  }
  throw new Error(`the windows still read after ${MAX_WAIT_MS} ms`);
}

/** Numbers that were compared. Throws at the first difference. */
function assertSame(told: Told, expected: Told, when: string): number {
  let figures = 0;
  const compare = (ours: unknown, theirs: unknown, path: string): void => {
    if (typeof ours === 'object' && ours !== null && typeof theirs === 'object' && theirs !== null) {
      for (const name of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
        compare((ours as Named)[name], (theirs as Named)[name], `${path}.${name}`);
      }
      return;
    }
    figures += 1;
    if (ours !== theirs) throw new Error(`${when}: ${path} is ${String(ours)}, and by SQL ${String(theirs)}`);
  };
  compare(told, expected, 'told');
  return figures;
}

type Named = Readonly<Record<string, unknown>>;
