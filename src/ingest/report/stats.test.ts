import { describe, expect, it } from 'vitest';
import type { Block } from '../../chain/block.ts';
import { deriveFacts } from '../../facts/derive.ts';
import type { Clock } from '../../kernel/clock.ts';
import { silentJournal } from '../../kernel/journal.ts';
import { type Logger, silentLogger } from '../../kernel/log.ts';
import { createMetrics } from '../../kernel/metrics.ts';
import { addIngestMetrics } from './ingest-metrics.ts';
import { createIngestStats } from './stats.ts';

function block(slot: number, parentSlot = slot - 1): Block {
  return {
    slot,
    parentSlot,
    blockhash: 'x',
    blockTime: 1_000,
    transactions: [],
    transactionCount: 0,
    voteCount: 0,
    whole: true,
  };
}

function statsAt(nowMs: number, log: Logger = silentLogger, committedSlot = 9) {
  let elapsed = 0;
  const clock: Clock = { now: () => nowMs, elapsed: () => elapsed, sleep: () => Promise.resolve() };
  const stats = createIngestStats({ source: 'rpc', committedSlot, clock, log });
  return {
    stats,
    see: (each: Block) => stats.derived(each, deriveFacts(each, silentJournal)),
    pass: (ms: number) => {
      elapsed += ms;
    },
  };
}

const FLUSH = { batches: 1, rows: 4, bytes: 900, firstSlot: 10, lastSlot: 10, committedSlot: 10, ms: 3 };

describe('the figures of ingest', () => {
  it('tell how far the store is behind what was derived, and that behind the chain', () => {
    const { stats, see } = statsAt(1_002_500);
    expect(stats.snapshot()).toMatchObject({ lagSlots: 0, lagMs: undefined, lastFlushMs: undefined });
    see(block(10));
    see(block(12));
    expect(stats.snapshot()).toMatchObject({ headSlot: 12, lagSlots: 2, lagMs: 2_500, missingSlots: 1 });
    stats.flushed({ ...FLUSH, committedSlot: 12 });
    expect(stats.snapshot()).toMatchObject({ committedSlot: 12, lagSlots: 0, rows: 4, flushes: 1, lastFlushMs: 3 });
  });

  it('say each flush in one line of the log, with everything in it', () => {
    const lines: Record<string, unknown>[] = [];
    const { stats, see } = statsAt(1_002_500, { ...silentLogger, info: (fields) => lines.push(fields) });
    stats.watch({ outboxBytes: () => 77 });
    see(block(10));
    stats.spent('derive', 5);
    stats.watch({ waiting: () => ({ queuedBlocks: 2, heldBatches: 3 }) });
    stats.flushed({ ...FLUSH, ms: 12 });
    stats.spent('derive', 4);
    stats.flushed({ ...FLUSH, late: true });
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatchObject({
      first_slot: 10,
      last_slot: 10,
      blocks: 1,
      rows: 4,
      bytes: 900,
      flush_ms: 12,
      derive_ms: 5,
      lag_slots: 0,
      lag_ms: 2_500,
      queued_blocks: 2,
      held_batches: 3,
      outbox_bytes: 77,
      holes: 0,
      alarms: 0,
    });
    expect(lines[0]).not.toHaveProperty('late');
    // Of each stage what it worked since the line before.
    expect(lines[1]).toMatchObject({ derive_ms: 4, late: true });
  });

  it('tell late blocks from those at the head, which alone say how far behind we are', () => {
    const { stats, see } = statsAt(1_002_500);
    see(block(10));
    stats.flushed({ ...FLUSH, committedSlot: 10 });
    see(block(5));
    see(block(11));
    expect(stats.snapshot()).toMatchObject({ blocks: 3, lateBlocks: 1, headSlot: 11, lagSlots: 1, missingSlots: 0 });
  });

  it('keep rates per second over the last minute', () => {
    const { stats, see, pass } = statsAt(0);
    expect(stats.snapshot().rate).toBeUndefined();
    for (let slot = 10; slot < 210; slot += 1) {
      see(block(slot));
      pass(500);
      stats.snapshot();
    }
    expect(stats.snapshot().rate?.blocks).toBeCloseTo(2, 1);
    pass(120_000);
    expect(stats.snapshot().rate?.blocks).toBeLessThan(0.01);
  });

  it('are served as metrics, without what is not known', async () => {
    const { stats, see } = statsAt(1_002_500);
    const metrics = createMetrics();
    addIngestMetrics(metrics, stats.snapshot);
    expect(await metrics.text()).not.toMatch(/^mintscope_ingest_lag_ms \d/m);
    expect(await metrics.text()).toContain('mintscope_ingest_committed_slot 9');
    see(block(10));
    const text = await metrics.text();
    expect(text).toContain('mintscope_ingest_lag_ms 2500');
    expect(text).toContain('mintscope_ingest_blocks_total 1');
    expect(text).toContain('mintscope_ingest_facts_total{kind="swaps"} 0');
  });

  it('do not make up slots for an empty store', async () => {
    const { stats } = statsAt(1_002_500, silentLogger, 0);
    const metrics = createMetrics();
    addIngestMetrics(metrics, stats.snapshot);
    expect(await metrics.text()).not.toMatch(/^mintscope_ingest_(head|committed)_slot \d/m);
  });
});
