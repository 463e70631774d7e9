import { expect } from 'vitest';
import type { Address } from '../../src/chain/address.ts';
import type { Block } from '../../src/chain/block.ts';
import type { IsOfShare } from '../../src/facts/wallet-share.ts';
import type { RangeReader } from '../../src/ingest/late/hole-filler.ts';
import type { PipelineLimits } from '../../src/ingest/live/ingest-line.ts';
import { createPipeline } from '../../src/ingest/live/pipeline.ts';
import { createIngestStats, type IngestStats } from '../../src/ingest/report/stats.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import type { RangeStep } from '../../src/sources/rpc-range.ts';
import type { BlockSource, ChainStep } from '../../src/sources/source.ts';
import type { RowBatch } from '../../src/store/clickhouse/schema/row-batch.ts';
import type { MemoryStore } from './memory-store.ts';
import { deriveTrades } from './trade-chain.ts';

/** Far more looks than any of these lives takes. */
const MAX_SPINS = 20_000;

/** A node that has the whole chain, and every third time says that it has not. */
export function moodyNode(chain: readonly Block[], clock: Clock): RangeReader {
  let asked = 0;
  return async function* read({ first, last }): AsyncGenerator<RangeStep> {
    asked += 1;
    if (asked % 3 === 0) {
      yield { kind: 'unavailable', first, last, reason: 'not today' };
      return;
    }
    for (let slot = first; slot <= last; slot += 1) {
      await clock.sleep(1);
      const block = chain.find((each) => each.slot === slot);
      yield block === undefined ? { kind: 'skipped', first: slot, last: slot } : { kind: 'block', block };
    }
  };
}

export interface Life {
  readonly store: MemoryStore;
  readonly clock: Clock;
  readonly steps: Iterable<ChainStep> | AsyncIterable<ChainStep>;
  readonly read?: RangeReader | undefined;
  readonly limits?: Partial<PipelineLimits>;
  readonly isOfShare?: IsOfShare;
  readonly signal?: AbortSignal;
  /** Turns that others have between two steps. */
  readonly pace?: number;
  /** Goes on with the source until this is so. */
  readonly until?: (stats: IngestStats) => Promise<boolean> | boolean;
}

/** One life of ingest on a store: it ends with its source. */
export async function live({ store, clock, steps, read, limits, isOfShare, ...life }: Life) {
  const { until = () => true, pace = 1, signal: stop } = life;
  const changed = new Set<Address>();
  const stats = createIngestStats({
    ...{ source: 'yellowstone', committedSlot: store.committedSlot, clock, log: silentLogger },
  });
  const source: BlockSource = {
    name: 'yellowstone',
    async *steps({ signal }) {
      for await (const step of steps) {
        if (signal.aborted) return;
        yield step;
        for (let n = 0; n < pace; n += 1) await clock.sleep(1);
      }
      for (let spins = 0; !(await until(stats)) && !signal.aborted; spins += 1) {
        if (spins > MAX_SPINS) throw new Error(`never settled: ${JSON.stringify(stats.snapshot().holes)}`);
        await clock.sleep(100);
      }
    },
  };
  /** Slots published and not withdrawn. */
  const view: number[] = [];
  const sink = {
    publish: ({ lastSlot, tables }: RowBatch) => {
      for (const { rows } of tables.values()) expect(rows).toBeGreaterThan(0);
      view.push(lastSlot);
    },
    commit() {},
    withdraw: (slot: number) => expect(view.pop()).toBe(slot),
    changed: (mints: readonly Address[]) => {
      for (const mint of mints) changed.add(mint);
    },
  };
  const lateSource = read === undefined ? undefined : { read };
  await createPipeline({
    ...{ source, store, sink, stats, clock, lateSource, isOfShare, derive: deriveTrades },
    limits: { flushIntervalMs: 3, maxDerivedBlocks: 2, maxWaitingBatches: 4, refoldDelayMs: 1, ...limits },
  }).run(stop ?? new AbortController().signal);
  return { stats: stats.snapshot(), changed, view };
}
