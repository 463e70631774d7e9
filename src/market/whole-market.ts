import type { Market } from './market.ts';

/** The later one of a time, Unix seconds, and of that from which on windows have everything. */
export function wholeFrom({ staleSince }: Pick<Market, 'staleSince'>, begun: number): number {
  return Math.max(begun, staleSince ?? 0);
}
