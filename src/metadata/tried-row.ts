import type { TokenMetadataRow } from '../store/clickhouse/schema/background-tables.ts';
import type { DocumentAnswer } from './documents.ts';
import { planRetry } from './retries.ts';
import type { WantedUri } from './uris-wanted.ts';

const EMPTY = { image: '', twitter: '', website: '', telegram: '', description: '' } as const;

/** Row to be stored of a try: the document's words, why there are none, or when it is tried again. `now` in Unix seconds. */
export function triedRow(
  { mint, uri, tries: before }: WantedUri,
  answer: DocumentAnswer | { readonly none: string },
  now: number,
  random: () => number,
): TokenMetadataRow {
  const row = { mint, checked_at: now, retry_at: 0, uri, ...EMPTY };
  if ('none' in answer) return { ...row, state: 'none', tries: before, outcome: answer.none };
  if ('metadata' in answer) return { ...row, state: 'stored', tries: before, outcome: '', ...answer.metadata };
  const { tries: failed, afterS } = planRetry(answer.fault, before, random());
  if (afterS === undefined) return { ...row, state: 'none', tries: failed, outcome: answer.fault };
  return { ...row, state: 'waiting', tries: failed, outcome: answer.fault, retry_at: now + afterS };
}
