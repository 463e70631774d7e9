import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateText, dayOf, tradingDay } from './calendar-rules.ts';
import { daysBetween, lastSession, type MarketState, marketAt, newYorkTime, sessionEnd } from './market-hours-rules.ts';

/** Days without a session and days that end early, as the exchanges published them. */
const PUBLISHED: Readonly<Record<number, { readonly none: string; readonly early: string }>> = {
  2022: { none: '01-17 02-21 04-15 05-30 06-20 07-04 09-05 11-24 12-26', early: '11-25' },
  2023: { none: '01-02 01-16 02-20 04-07 05-29 06-19 07-04 09-04 11-23 12-25', early: '07-03 11-24' },
  2024: { none: '01-01 01-15 02-19 03-29 05-27 06-19 07-04 09-02 11-28 12-25', early: '07-03 11-29 12-24' },
  2025: { none: '01-01 01-09 01-20 02-17 04-18 05-26 06-19 07-04 09-01 11-27 12-25', early: '07-03 11-28 12-24' },
  2026: { none: '01-01 01-19 02-16 04-03 05-25 06-19 07-03 09-07 11-26 12-25', early: '11-27 12-24' },
  2027: { none: '01-01 01-18 02-15 03-26 05-31 06-18 07-05 09-06 11-25 12-24', early: '11-26' },
  2028: { none: '01-17 02-21 04-14 05-29 06-19 07-04 09-04 11-23 12-25', early: '07-03 11-24' },
};

const DAY_S = 86_400;
const at = (text: string) => Date.parse(text) / 1_000;

const clock = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/New_York',
  dateStyle: 'short',
  timeStyle: 'medium',
});
/** `2026-11-26 09:30:00` in New York, by the time zones of the platform. */
const wallOf = (time: number) => clock.format(time * 1_000);

describe('days of trading', () => {
  it.each(Object.entries(PUBLISHED))('of %s are those that the exchanges published', (year, { none, early }) => {
    const told = { none: [] as string[], early: [] as string[] };
    for (let day = dayOf(Number(year), 1, 1); day < dayOf(Number(year) + 1, 1, 1); day += 1) {
      const kind = tradingDay(day);
      const weekday = new Date(day * DAY_S * 1_000).getUTCDay();
      if (weekday === 0 || weekday === 6) expect([dateText(day), kind]).toEqual([dateText(day), 'none']);
      else if (kind !== 'full') told[kind].push(dateText(day).slice(5));
    }
    expect({ none: told.none.join(' '), early: told.early.join(' ') }).toEqual({ none, early });
  });
});

describe('the exchanges', () => {
  it.each<[string, MarketState]>([
    // A Wednesday in winter, five hours behind UTC.
    ['2026-11-25T08:59:59Z', 'closed'],
    ['2026-11-25T09:00:00Z', 'extended'],
    ['2026-11-25T14:29:59Z', 'extended'],
    ['2026-11-25T14:30:00Z', 'open'],
    ['2026-11-25T20:59:59Z', 'open'],
    ['2026-11-25T21:00:00Z', 'extended'],
    ['2026-11-26T00:59:59Z', 'extended'],
    ['2026-11-26T01:00:00Z', 'closed'],
    // Thanksgiving, and the day behind it.
    ['2026-11-26T15:00:00Z', 'closed'],
    ['2026-11-27T17:59:59Z', 'open'],
    ['2026-11-27T18:00:00Z', 'extended'],
    ['2026-11-27T21:59:59Z', 'extended'],
    ['2026-11-27T22:00:00Z', 'closed'],
    ['2026-11-28T15:00:00Z', 'closed'],
    // Around the beginning of summer time, a Sunday: Friday and Monday open an hour of UTC apart.
    ['2026-03-06T14:29:59Z', 'extended'],
    ['2026-03-06T14:30:00Z', 'open'],
    ['2026-03-09T13:29:59Z', 'extended'],
    ['2026-03-09T13:30:00Z', 'open'],
    // And its end.
    ['2026-10-30T13:30:00Z', 'open'],
    ['2026-11-02T13:30:00Z', 'extended'],
    ['2026-11-02T14:30:00Z', 'open'],
    // New Year's Day on a Saturday is not kept on the Friday before.
    ['2027-12-31T15:00:00Z', 'open'],
  ])('are at %s %s', (text, state) => {
    expect(marketAt(at(text))).toBe(state);
  });

  it('keep the time of New York as the time zones of the platform have it', () => {
    const time = fc.integer({ min: at('2008-01-01T00:00:00Z'), max: at('2037-12-31T00:00:00Z') });
    const changes = Array.from({ length: 20 }, (_, year) => [
      at(`${2_010 + year}-03-08T00:00:00Z`),
      at(`${2_010 + year}-11-01T00:00:00Z`),
    ]).flat();
    // Half of them within a fortnight of a change.
    const near = fc.tuple(fc.constantFrom(...changes), fc.nat(14 * DAY_S)).map(([from, behind]) => from + behind);
    fc.assert(
      fc.property(fc.oneof(time, near), (moment) => {
        const { day, second } = newYorkTime(moment);
        const clockText = new Date(second * 1_000).toISOString().slice(11, 19);
        expect(`${dateText(day)} ${clockText}`).toBe(wallOf(moment));
      }),
      { numRuns: 500 },
    );
  });
});

describe('the last session that is over', () => {
  it.each([
    ['2026-11-25T20:59:59Z', '2026-11-24'],
    ['2026-11-25T21:00:00Z', '2026-11-25'],
    ['2026-11-27T17:59:59Z', '2026-11-25'],
    ['2026-11-27T18:00:00Z', '2026-11-27'],
    ['2026-11-30T14:00:00Z', '2026-11-27'],
    ['2027-01-01T18:00:00Z', '2026-12-31'],
    ['2027-12-26T18:00:00Z', '2027-12-23'],
  ])('at %s is that of %s', (text, session) => {
    expect(lastSession(at(text))).toBe(session);
  });

  it('ended when it became the last one', () => {
    const time = fc.integer({ min: at('2015-01-01T00:00:00Z'), max: at('2040-01-01T00:00:00Z') });
    fc.assert(
      fc.property(time, (moment) => {
        const session = lastSession(moment);
        const end = sessionEnd(session);
        expect([lastSession(end), lastSession(end - 1) < session, end <= moment]).toEqual([session, true, true]);
      }),
    );
  });

  it('is never to come, nor long ago, and a later moment has none from before', () => {
    const time = fc.integer({ min: at('2015-01-01T00:00:00Z'), max: at('2040-01-01T00:00:00Z') });
    fc.assert(
      fc.property(time, fc.nat(5 * DAY_S), (moment, later) => {
        const session = lastSession(moment);
        const today = dateText(newYorkTime(moment).day);
        const ago = daysBetween(session, today);
        expect(ago).toBeGreaterThanOrEqual(0);
        expect(ago).toBeLessThanOrEqual(5);
        expect(lastSession(moment + later) >= session).toBe(true);
      }),
    );
  });
});
