import type { Journal } from '../kernel/journal.ts';

/** 2106: beyond it no store has a column for seconds, and no block its time. */
const MAX_SECONDS = 0xffff_ffff;

/** A block's time in Unix seconds as the wire tells it, null where it is none: what a node gets wrong costs the time alone. */
export function toBlockTime(told: unknown, slot: number, subject: string, journal: Journal): number | null {
  if (told === null || told === undefined) return null;
  if (typeof told === 'number' && Number.isInteger(told) && told >= 0 && told <= MAX_SECONDS) return told;
  journal.note({ code: 'value_out_of_range', subject, detail: { slot, blockTime: String(told) } });
  return null;
}
