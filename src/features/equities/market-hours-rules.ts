import { dateText, dayOf, nthWeekday, SUNDAY, tradingDay } from './calendar-rules.ts';

/** What an exchange of the United States does at a moment. `extended` is trading before and behind its session. */
export type MarketState = 'open' | 'closed' | 'extended';

const HOUR_S = 3_600;
const DAY_S = 86_400;
/** Of New York, behind UTC. */
const STANDARD_S = 5 * HOUR_S;
const SUMMER_S = 4 * HOUR_S;
/** Seconds of a day in New York. */
const EARLY_TRADING = 4 * HOUR_S;
const OPENING = 9.5 * HOUR_S;
/** When the session ends, and trading behind it. */
const ENDS = {
  full: { session: 16 * HOUR_S, trading: 20 * HOUR_S },
  early: { session: 13 * HOUR_S, trading: 17 * HOUR_S },
} as const;
/** No two sessions lie further apart, in days, but that the exchanges were shut. */
const MOST_DAYS = 14;

/** What the exchanges do at a time, Unix seconds. */
export function marketAt(time: number): MarketState {
  const { day, second } = newYorkTime(time);
  const kind = tradingDay(day);
  if (kind === 'none') return 'closed';
  const { session, trading } = ENDS[kind];
  if (second < EARLY_TRADING || second >= trading) return 'closed';
  return second >= OPENING && second < session ? 'open' : 'extended';
}

/** The date of the last session that was over at a time, Unix seconds: `2026-11-25`. */
export function lastSession(time: number): string {
  const { day, second } = newYorkTime(time);
  for (let ago = 0; ago < MOST_DAYS; ago += 1) {
    const kind = tradingDay(day - ago);
    if (kind === 'none') continue;
    if (ago > 0 || second >= ENDS[kind].session) return dateText(day - ago);
  }
  return dateText(day - MOST_DAYS);
}

/** When the session of a date ended, Unix seconds; of a day without one, when it would have. */
export function sessionEnd(date: string): number {
  const day = dayOfText(date);
  const kind = tradingDay(day);
  const local = day * DAY_S + ENDS[kind === 'none' ? 'full' : kind].session;
  return local + (isSummer(local + SUMMER_S) ? SUMMER_S : STANDARD_S);
}

/** The day in New York at a time, Unix seconds, since 1970-01-01, and the second of it. */
export function newYorkTime(time: number): { readonly day: number; readonly second: number } {
  const local = time - (isSummer(time) ? SUMMER_S : STANDARD_S);
  const day = Math.floor(local / DAY_S);
  return { day, second: local - day * DAY_S };
}

/** Summer time: from the second Sunday of March at two o'clock to the first of November, since 2007. */
function isSummer(time: number): boolean {
  const year = new Date(time * 1_000).getUTCFullYear();
  const begins = nthWeekday(year, 3, SUNDAY, 2) * DAY_S + 2 * HOUR_S + STANDARD_S;
  const ends = nthWeekday(year, 11, SUNDAY, 1) * DAY_S + 2 * HOUR_S + SUMMER_S;
  return time >= begins && time < ends;
}

/** Days from one date to another, `2026-11-25`. */
export function daysBetween(from: string, to: string): number {
  return dayOfText(to) - dayOfText(from);
}

function dayOfText(date: string): number {
  const [year, month, ofMonth] = date.split('-').map(Number);
  return dayOf(year!, month!, ofMonth!);
}
