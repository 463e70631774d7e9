import { jsonBody, timeText } from '../../books/json-text.ts';
import type { Written } from '../../contract/written.ts';
import type { HistoryInterval, HolderCount, HolderHistory } from './contract.ts';
import type { HolderCounts, HolderCountWindow } from './count-reads.ts';

/** Seconds and number of the buckets of a history, by the interval that is asked for: a day, a week, a year. */
export const HISTORY_SPANS: Readonly<Record<HistoryInterval, { readonly step: number; readonly buckets: number }>> = {
  '5m': { step: 300, buckets: 288 },
  '1h': { step: 3_600, buckets: 168 },
  '1d': { step: 86_400, buckets: 365 },
};

/** More swaps of a mint are not read for a history: their positions are. */
export const MAX_HISTORY_SWAPS = 10_000_000;

/** The buckets up to the one of `now`, Unix seconds. */
export function historyWindow(
  interval: HistoryInterval,
  now: number,
): Pick<HolderCountWindow, 'step' | 'from' | 'limit'> {
  const { step, buckets } = HISTORY_SPANS[interval];
  return { step, from: now - (now % step) - (buckets - 1) * step, limit: buckets };
}

/** Holders at the end of every bucket from the first trade on, up to now. Buckets without a trade repeat what was. `hasSwaps` says that no swap is missing. */
export function holderHistoryBody(
  { changes, estimated }: HolderCounts,
  { step, from, limit }: Pick<HolderCountWindow, 'step' | 'from' | 'limit'>,
  hasSwaps: boolean,
): Buffer {
  const data: Written<HolderCount>[] = [];
  const [first] = changes;
  let holders = 0n;
  let next = 0;
  for (let start = from; first !== undefined && start < from + limit * step; start += step) {
    for (; next < changes.length && changes[next]!.start <= start; next += 1) holders += changes[next]!.change;
    if (first.start <= start) data.push({ time: timeText(start), holders: Number(holders) });
  }
  return jsonBody({ data, partial: estimated || !hasSwaps || undefined } satisfies Written<HolderHistory>);
}
