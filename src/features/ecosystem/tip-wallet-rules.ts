import { RECURRING_PARTS } from './contract-limits.ts';

const ALL_PARTS = 2 ** RECURRING_PARTS - 1;

/**
 * A wallet is tipped again and again that was tipped in every part of the window; `parts` has a bit for each. Undefined
 * where blocks of the window are missing, and perhaps tips with them.
 */
export function isRecurring(parts: number, isWhole: boolean): boolean | undefined {
  if (parts === ALL_PARTS) return true;
  return isWhole ? false : undefined;
}
