import { describe, expect, it } from 'vitest';
import type { Block } from '../chain/block.ts';
import { deriveFacts } from '../facts/derive.ts';
import { type Oddity, silentJournal } from '../kernel/journal.ts';
import type { Logger } from '../kernel/log.ts';
import { createIngestStats, type FlushFigures } from './stats.ts';

const START_MS = 1_790_000_000_000;

/** Ingest beside a clock: a second passes with each review. */
function watchedIngest(source = 'yellowstone') {
  let now = START_MS;
  const lines: string[] = [];
  const log: Logger = {
    debug() {},
    info: (fields, message) => fields.alarm !== undefined && lines.push(`over: ${fields.alarm} (${message})`),
    warn() {},
    error: (fields) => lines.push(`raised: ${fields.alarm}`),
  };
  const clock = { now: () => now, elapsed: () => now - START_MS, sleep: () => Promise.resolve() };
  const stats = createIngestStats({ source, committedSlot: 0, clock, log });
  return {
    stats,
    lines,
    see(slot: number, ageMs = 0) {
      const block: Block = {
        slot,
        parentSlot: slot - 1,
        blockhash: 'x',
        blockTime: Math.floor((now - ageMs) / 1_000),
        transactions: [],
        transactionCount: 0,
        voteCount: 0,
        whole: true,
      };
      stats.derived(block, deriveFacts(block, silentJournal));
    },
    flush(committedSlot: number) {
      const figures: FlushFigures = {
        batches: 1,
        rows: 1,
        bytes: 1,
        firstSlot: committedSlot,
        lastSlot: committedSlot,
        committedSlot,
        ms: 1,
      };
      stats.flushed(figures);
    },
    /** Lets seconds pass. */
    pass(seconds: number, each: (second: number) => void = () => {}) {
      for (let second = 0; second < seconds; second += 1) {
        now += 1_000;
        each(second);
        stats.review();
      }
    },
    codes: () => stats.snapshot().alarms.map(({ code }) => code),
  };
}

describe('alarms of ingest', () => {
  it('tell when the source is silent, once, since when, and when it is over', () => {
    const { see, pass, codes, stats, lines } = watchedIngest();
    see(100);
    pass(30);
    expect(codes()).toEqual([]);
    pass(20);
    expect(codes()).toContain('source_silent');
    expect(stats.snapshot().alarms.find(({ code }) => code === 'source_silent')).toEqual({
      code: 'source_silent',
      since: START_MS + 31_000,
      message: 'no block has come for 50 s',
    });
    see(101);
    pass(1);
    expect(codes()).toEqual([]);
    expect(lines.filter((line) => line.includes('source_silent'))).toEqual([
      'raised: source_silent',
      'over: source_silent (the alarm is over)',
    ]);
  });

  it('tell of blocks that stay behind the clock, but not of those that catch up', () => {
    const { see, pass, codes } = watchedIngest();
    let slot = 1;
    // An hour behind, a minute nearer every second.
    pass(55, (second) => see(slot++, 3_600_000 - second * 60_000));
    expect(codes()).toEqual([]);
    pass(20, () => see(slot++, 300_000));
    expect(codes()).toEqual(['lagging']);
    pass(1, () => see(slot++, 500));
    expect(codes()).toEqual([]);
  });

  it('tell when the store falls behind, and do not blame the source for it', () => {
    const { see, pass, codes, flush } = watchedIngest();
    for (let slot = 1_001; slot <= 1_151; slot += 1) see(slot);
    pass(1);
    expect(codes()).toEqual(['store_behind']);
    pass(60);
    expect(codes()).toContain('store_behind');
    expect(codes()).not.toContain('source_silent');
    flush(1_151);
    see(1_152);
    pass(1);
    expect(codes()).toEqual([]);
  });

  it('do not hold the slots of before its time against an empty store', () => {
    const { see, pass, codes, stats } = watchedIngest();
    see(460_000_000);
    pass(1);
    expect(stats.snapshot().lagSlots).toBe(1);
    expect(codes()).toEqual([]);
  });

  it.each<[Oddity['code'], string]>([
    ['unknown_event', 'events_unreadable'],
    ['event_too_short', 'events_unreadable'],
    ['event_tail', 'events_grew'],
    ['malformed_transaction', 'transactions_malformed'],
  ])('tell of %s for ten minutes after the last one', (code, alarm) => {
    const { pass, codes, stats, see, flush } = watchedIngest();
    let slot = 0;
    const goOn = () => {
      slot += 1;
      see(slot);
      flush(slot);
    };
    stats.journal.note({ code, subject: 'pump' });
    pass(1, goOn);
    expect(codes()).toEqual([alarm]);
    pass(500, goOn);
    stats.journal.note({ code, subject: 'pump' });
    pass(600, goOn);
    expect(codes()).toEqual([alarm]);
    pass(1, goOn);
    expect(codes()).toEqual([]);
  });

  it('leave a replay alone, which is as old as it is', () => {
    const { see, pass, codes, flush } = watchedIngest('replay');
    see(1, 10_000_000_000);
    flush(1);
    pass(100);
    expect(codes()).toEqual([]);
  });
});
