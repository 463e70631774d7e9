/**
 * The first renewal after `after`: at the day and time of the month of `anchor`, in
 * UTC, and on the last day of months that are too short. Unix milliseconds.
 */
export function nextRenewal(anchor: number, after: number): number {
  const from = new Date(anchor);
  const to = new Date(after);
  const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  const inMonth = addMonths(anchor, months);
  return inMonth > after ? inMonth : addMonths(anchor, months + 1);
}

function addMonths(anchor: number, months: number): number {
  const date = new Date(anchor);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime();
}
