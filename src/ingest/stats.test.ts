import { describe, expect, it } from 'vitest';
import type { Block } from '../chain/block.ts';
import { deriveFacts } from '../facts/derive.ts';
import type { Clock } from '../kernel/clock.ts';
import { silentJournal } from '../kernel/journal.ts';
import { type Logger, silentLogger } from '../kernel/log.ts';
import { createMetrics } from '../kernel/metrics.ts';
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

function statsAt(nowMs: number, log: Logger = silentLogger) {
  let elapsed = 0;
  const clock: Clock = { now: () => nowMs, elapsed: () => elapsed, sleep: () => Promise.resolve() };
  const stats = createIngestStats({ source: 'rpc', committedSlot: 9, clock, log });
  return {
    stats,
    see: (each: Block) => stats.derived(each, deriveFacts(each, silentJournal)),
    pass: (ms: number) => {
      elapsed += ms;
    },
  };
}

const FLUSH = { batches: 1, rows: 4, lastSlot: 10, committedSlot: 10, ms: 3 };

describe('the figures of ingest', () => {
  it('tell how far the store is behind what was derived, and that behind the chain', () => {
    const { stats, see } = statsAt(1_002_500);
    expect(stats.snapshot()).toMatchObject({ lagSlots: 0, lagMs: undefined, lastFlushMs: undefined });
    see(block(10));
    see(block(12));
    expect(stats.snapshot()).toMatchObject({ headSlot: 12, lagSlots: 3, lagMs: 2_500, missingSlots: 1 });
    stats.flushed({ ...FLUSH, committedSlot: 12 });
    expect(stats.snapshot()).toMatchObject({ committedSlot: 12, lagSlots: 0, rows: 4, flushes: 1, lastFlushMs: 3 });
  });

  it('count oddities by code and subject, name each kind once in the log, and stay bounded', () => {
    const warned: unknown[] = [];
    const { stats } = statsAt(0, { ...silentLogger, warn: (fields) => warned.push(fields) });
    for (let times = 0; times < 3; times += 1) stats.journal.note({ code: 'unknown_event', subject: 'pump' });
    for (let kind = 0; kind < 1_000; kind += 1) stats.journal.note({ code: 'event_tail', subject: `s${kind}` });
    const { oddities } = stats.snapshot();
    expect(oddities['unknown_event:pump']).toBe(3);
    expect(Object.keys(oddities).length).toBeLessThanOrEqual(257);
    expect(Object.values(oddities).reduce((sum, count) => sum + count, 0)).toBe(1_003);
    expect(warned.length).toBe(Object.keys(oddities).length);
  });

  it('sum up in the log every ten seconds, and say each flush in detail', () => {
    const infos: unknown[] = [];
    const debugs: unknown[] = [];
    const log: Logger = {
      ...silentLogger,
      info: (fields) => infos.push(fields),
      debug: (fields) => debugs.push(fields),
    };
    const { stats, see, pass } = statsAt(0, log);
    see(block(10));
    for (let second = 0; second < 25; second += 1) {
      pass(1_000);
      stats.flushed(FLUSH);
    }
    expect(debugs).toHaveLength(25);
    expect(infos).toHaveLength(2);
    expect(infos[0]).toMatchObject({ source: 'rpc', blocks: 1, head_slot: 10 });
    expect(infos[1]).toMatchObject({ blocks: 0 });
  });

  it('are served as metrics, without what is not known', async () => {
    const { stats, see } = statsAt(1_002_500);
    const metrics = createMetrics();
    addIngestMetrics(metrics, stats.snapshot);
    expect(await metrics.text()).not.toMatch(/^mintscope_ingest_lag_ms \d/m);
    see(block(10));
    const text = await metrics.text();
    expect(text).toContain('mintscope_ingest_lag_ms 2500');
    expect(text).toContain('mintscope_ingest_blocks_total 1');
    expect(text).toContain('mintscope_ingest_facts_total{kind="swaps"} 0');
  });
});
