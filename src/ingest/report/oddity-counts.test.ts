import { describe, expect, it } from 'vitest';
import type { Oddity } from '../../kernel/journal.ts';
import { silentLogger } from '../../kernel/log.ts';
import { createOddityCounts } from './oddity-counts.ts';

function countsOf(notes: readonly Oddity[]) {
  const warned: unknown[] = [];
  const counts = createOddityCounts({ ...silentLogger, warn: (fields) => warned.push(fields) });
  for (const note of notes) counts.journal.note(note);
  return { counts, warned };
}

const unknown = (subject: string, discriminator: string): Oddity => ({
  code: 'unknown_event',
  subject,
  detail: { discriminator, bytes: 40 },
});

describe('counts of oddities', () => {
  it('tell unknown events apart by program and discriminator, and name each once in the log', () => {
    const { counts, warned } = countsOf([
      unknown('pump', 'aa'),
      unknown('pump', 'bb'),
      unknown('pump', 'aa'),
      unknown('pump_amm', 'aa'),
    ]);
    expect(counts.list()).toEqual([
      { code: 'unknown_event', subject: 'pump', variant: 'aa', count: 2 },
      { code: 'unknown_event', subject: 'pump', variant: 'bb', count: 1 },
      { code: 'unknown_event', subject: 'pump_amm', variant: 'aa', count: 1 },
    ]);
    expect(warned).toHaveLength(3);
    expect(warned[1]).toEqual({ code: 'unknown_event', subject: 'pump', discriminator: 'bb', bytes: 40 });
  });

  it('tell events of unknown length apart by event and length', () => {
    const { counts } = countsOf([
      { code: 'event_tail', subject: 'pump.TradeEvent', detail: { bytes: 8 } },
      { code: 'event_tail', subject: 'pump.TradeEvent', detail: { bytes: 16 } },
      { code: 'event_too_short', subject: 'pump.TradeEvent', detail: { bytes: 100 } },
    ]);
    expect(counts.list().map(({ code, variant }) => `${code} ${variant}`)).toEqual([
      'event_tail +8',
      'event_tail +16',
      'event_too_short 100',
    ]);
  });

  it('are bounded, leave room for others when one subject overflows, and lose no note', () => {
    const flood = Array.from({ length: 10_000 }, (_, each) => unknown('pump', `${each}`));
    const subjects = Array.from({ length: 10_000 }, (_, each) => unknown(`s${each}`, 'x'));
    const { counts, warned } = countsOf([...flood, unknown('pump_amm', 'new'), ...subjects]);
    const list = counts.list();
    expect(list.length).toBeLessThanOrEqual(300);
    expect(warned).toHaveLength(list.length);
    expect(list.filter(({ subject }) => subject === 'pump').length).toBeLessThanOrEqual(33);
    expect(list).toContainEqual({ code: 'unknown_event', subject: 'pump_amm', variant: 'new', count: 1 });
    expect(list.reduce((sum, { count }) => sum + count, 0)).toBe(20_001);
    expect(counts.total(['unknown_event'])).toBe(20_001);
    expect(counts.total(['event_tail'])).toBe(0);
  });
});
