import { describe, expect, it } from 'vitest';
import type { Block } from '../../chain/block.ts';
import { deriveFacts } from '../../facts/derive.ts';
import { type Oddity, silentJournal } from '../../kernel/journal.ts';
import type { Logger } from '../../kernel/log.ts';
import type { FlushFigures } from './flush-log.ts';
import { createIngestStats } from './stats.ts';

const START_MS = 1_790_000_000_000;

/** Ingest beside a clock: a second passes with each review. */
function watchedIngest(source = 'yellowstone') {
  let now = START_MS;
  const lines: string[] = [];
  const errors: string[] = [];
  const log: Logger = {
    debug() {},
    info: (fields, message) => fields.alarm !== undefined && lines.push(`over: ${fields.alarm} (${message})`),
    warn() {},
    error(fields, message) {
      lines.push(`raised: ${fields.alarm}`);
      errors.push(message);
    },
  };
  const clock = { now: () => now, elapsed: () => now - START_MS, sleep: () => Promise.resolve() };
  const stats = createIngestStats({ source, committedSlot: 0, clock, log });
  return {
    stats,
    lines,
    errors,
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

  it('tell that the node refuses what it gave before, while it does', () => {
    const { pass, codes, stats } = watchedIngest();
    let refusal: string | undefined = 'the node gave blocks and refuses now: getSlot: HTTP status 404';
    stats.watch({ refusal: () => refusal });
    pass(1);
    expect(codes()).toEqual(['source_refused']);
    expect(stats.snapshot().alarms).toMatchObject([{ message: refusal }]);
    refusal = undefined;
    pass(1);
    expect(codes()).toEqual([]);
  });

  it('tell that descriptors ran out, and do not blame the source for what it is not asked', () => {
    const { see, pass, codes, stats } = watchedIngest();
    let short = true;
    stats.watch({ shortOfDescriptors: () => short });
    see(100);
    pass(1);
    expect(codes()).toEqual(['descriptors_exhausted']);
    pass(60);
    expect(codes()).toEqual(expect.not.arrayContaining(['source_silent']));
    short = false;
    see(101);
    pass(1);
    expect(codes()).toEqual([]);
  });

  it('tell of a store that answers nothing, and do not blame the source that nothing is asked of', () => {
    const { see, pass, codes, stats } = watchedIngest();
    let longestMs = 0;
    stats.watch({ storeTrouble: () => ({ longestMs, failing: undefined, loginRefused: undefined }) });
    see(100);
    pass(90, () => {
      longestMs += 1_000;
    });
    expect(codes()).toContain('store_behind');
    expect(codes()).not.toContain('source_silent');
    longestMs = 0;
    pass(29);
    expect(codes()).not.toContain('store_behind');
    expect(codes()).not.toContain('source_silent');
    pass(7);
    expect(codes()).toContain('source_silent');
  });

  it('tell that the store fails, and apart from it that it does not take the password any more', () => {
    const { see, pass, codes, stats } = watchedIngest();
    const trouble: { failing: string | undefined; loginRefused: string | undefined } = {
      failing: 'KEEPER_EXCEPTION',
      loginRefused: undefined,
    };
    stats.watch({ storeTrouble: () => ({ longestMs: 1, ...trouble }) });
    see(100);
    pass(1);
    expect(codes()).toEqual(['store_failing']);
    Object.assign(trouble, { failing: undefined, loginRefused: 'the password' });
    pass(1);
    expect(codes()).toEqual(['store_login_refused']);
    trouble.loginRefused = undefined;
    pass(1);
    expect(codes()).toEqual([]);
  });

  it('tell when the store falls behind, and do not blame the source for it', () => {
    const { see, pass, codes, flush } = watchedIngest();
    for (let slot = 1_001; slot <= 1_151; slot += 1) see(slot);
    pass(16);
    expect(codes()).toEqual([]);
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

  it('do not hold against a store that keeps up what waits for it while much is caught up with', () => {
    const { see, pass, codes, flush, stats } = watchedIngest();
    let slot = 1_000;
    pass(60, () => {
      for (let each = 0; each < 60; each += 1) {
        slot += 1;
        see(slot, 600_000 - (slot - 1_000) * 100);
      }
      flush(Math.max(1_000, slot - 240));
    });
    expect(stats.snapshot().lagSlots).toBe(240);
    expect(codes()).not.toContain('store_behind');
  });

  it('do not blame a source that nothing is pulled from for its silence, and give it time when it is again', () => {
    const { see, pass, codes, stats } = watchedIngest();
    see(1_001);
    stats.alarm('disk_low', 'the disk is nearly full');
    pass(300);
    expect(codes()).not.toContain('source_silent');
    stats.alarm('disk_low', undefined);
    pass(30);
    expect(codes()).not.toContain('source_silent');
    pass(1);
    expect(codes()).toContain('source_silent');
  });

  it('show nobody a credential that a fault tells', () => {
    const { stats, errors } = watchedIngest();
    stats.alarm('refold', 'not folded again: Error: http://me:hunter2@db.invalid:8123/?password=hunter2 is away');
    expect(stats.snapshot().alarms).toMatchObject([
      { message: 'not folded again: Error: http://db.invalid:8123 is away' },
    ]);
    expect(errors.join()).not.toContain('hunter2');
  });

  it('do not hold slots that nobody gave against the store', () => {
    const { see, flush, pass, codes, stats } = watchedIngest();
    see(1_001);
    flush(1_001);
    // An hour later.
    see(10_001);
    see(10_002);
    expect(stats.snapshot()).toMatchObject({ lagSlots: 2, missingSlots: 8_999 });
    pass(1);
    expect(codes()).toEqual([]);
    flush(10_001);
    expect(stats.snapshot().lagSlots).toBe(1);
    // And another, before the store has all of it.
    see(20_001);
    expect(stats.snapshot().lagSlots).toBe(2);
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
    ['unlinked_block', 'rpc_unlinked'],
    ['doubtful_block', 'chain_in_doubt'],
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

  it('name both slots of two blocks that do not fit together, and whose they are', () => {
    const { pass, stats } = watchedIngest();
    const note = (slot: number, subject: string) =>
      stats.journal.note({
        code: 'doubtful_block',
        subject,
        detail: { slot, held_slot: slot - 1, reason: 'it differs' },
      });
    note(102, 'one.example');
    note(202, 'two.example');
    note(302, 'one.example');
    pass(1);
    expect(stats.snapshot().alarms.find(({ code }) => code === 'chain_in_doubt')?.message).toMatch(
      /one\.example \(slot 302 and slot 301, which is held\), two\.example \(slot 202 and slot 201, which is held\)$/,
    );
  });

  it('leave a replay alone, which is as old as it is', () => {
    const { see, pass, codes, flush } = watchedIngest('replay');
    see(1, 10_000_000_000);
    flush(1);
    pass(100);
    expect(codes()).toEqual([]);
  });
});
