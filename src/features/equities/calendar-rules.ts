/**
 * Days on which the exchanges of the United States trade, by rule. Days are counted since 1970-01-01, as they are in New
 * York.
 */

/** How long an exchange trades on a day: not at all, to its usual end, or to an early one. */
export type TradingDay = 'none' | 'full' | 'early';

const DAY_MS = 86_400_000;
export const SUNDAY = 0;
const MONDAY = 1;
const THURSDAY = 4;
const SATURDAY = 6;
/** 1970-01-01 was a Thursday. */
const FIRST_WEEKDAY = THURSDAY;
/** Years whose holidays are remembered: answers are about now. */
const MOST_YEARS = 8;
/** The exchanges keep it since this year. */
const FIRST_JUNETEENTH = 2022;
/** Days without trading that no rule tells: the mourning of a president. */
const DAYS_OF_MOURNING: ReadonlySet<number> = new Set([dayOf(2018, 12, 5), dayOf(2025, 1, 9)]);

const holidays = new Map<number, ReadonlySet<number>>();

/** A day by its date; months count from 1. */
export function dayOf(year: number, month: number, date: number): number {
  return Date.UTC(year, month - 1, date) / DAY_MS;
}

/** `2026-11-26`. */
export function dateText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** As New York Stock Exchange and Nasdaq publish it for years ahead. */
export function tradingDay(day: number): TradingDay {
  const weekday = weekdayOf(day);
  if (weekday === SATURDAY || weekday === SUNDAY) return 'none';
  const date = new Date(day * DAY_MS);
  if (holidaysOf(date.getUTCFullYear()).has(day) || DAYS_OF_MOURNING.has(day)) return 'none';
  return isEarly(day, date) ? 'early' : 'full';
}

/** The days before Independence Day and Christmas that are trading days themselves, and the one behind Thanksgiving. */
function isEarly(day: number, date: Date): boolean {
  const [year, month, ofMonth] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
  // Fridays before a holiday on Saturday are that holiday.
  if ((month === 7 && ofMonth === 3) || (month === 12 && ofMonth === 24)) return true;
  return month === 11 && day === thanksgiving(year) + 1;
}

function holidaysOf(year: number): ReadonlySet<number> {
  const known = holidays.get(year);
  if (known !== undefined) return known;
  const days = [
    ...newYear(year),
    nthWeekday(year, 1, MONDAY, 3),
    nthWeekday(year, 2, MONDAY, 3),
    easter(year) - 2,
    lastMonday(year, 5),
    ...(year < FIRST_JUNETEENTH ? [] : [observed(dayOf(year, 6, 19))]),
    observed(dayOf(year, 7, 4)),
    nthWeekday(year, 9, MONDAY, 1),
    thanksgiving(year),
    observed(dayOf(year, 12, 25)),
  ];
  if (holidays.size >= MOST_YEARS) holidays.clear();
  const made = new Set(days);
  holidays.set(year, made);
  return made;
}

/** A New Year's Day on a Saturday is not kept on the last day of the year before: books are closed on that. */
function newYear(year: number): readonly number[] {
  const day = dayOf(year, 1, 1);
  return weekdayOf(day) === SATURDAY ? [] : [observed(day)];
}

/** Holidays on a weekend are kept on the nearest weekday. */
function observed(day: number): number {
  const weekday = weekdayOf(day);
  if (weekday === SATURDAY) return day - 1;
  return weekday === SUNDAY ? day + 1 : day;
}

function thanksgiving(year: number): number {
  return nthWeekday(year, 11, THURSDAY, 4);
}

/** The first, second, … of a weekday in a month. */
export function nthWeekday(year: number, month: number, weekday: number, nth: number): number {
  const first = dayOf(year, month, 1);
  return first + ((weekday - weekdayOf(first) + 7) % 7) + (nth - 1) * 7;
}

function lastMonday(year: number, month: number): number {
  const last = dayOf(year, month + 1, 1) - 1;
  return last - ((weekdayOf(last) - MONDAY + 7) % 7);
}

function weekdayOf(day: number): number {
  return (((day + FIRST_WEEKDAY) % 7) + 7) % 7;
}

/** Easter Sunday of the Gregorian calendar: the Sunday behind the first full moon, by its tables, from March 21 on. */
function easter(year: number): number {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  // How old the moon is, less the days that leap years left out and what the moon lost on them.
  const correction = Math.floor((8 * century + 13) / 25) - century + Math.floor(century / 4);
  const epact = (((19 * golden + 15 - correction) % 30) + 30) % 30;
  const fullMoon = epact === 29 || (epact === 28 && golden > 10) ? epact - 1 : epact;
  const moonDay = dayOf(year, 3, 21) + fullMoon;
  return moonDay + (7 - weekdayOf(moonDay));
}
