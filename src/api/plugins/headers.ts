import type { TokenAnswers } from '../../books/answers.ts';
import { API_VERSION } from '../contract/headers.ts';

/** What every JSON answer carries. Nothing of an answer may run, be framed or be sniffed as another type. */
const JSON_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'x-api-version': API_VERSION,
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'cross-origin',
} as const;

export type HeaderBlock = Record<string, string | number>;

/** Headers of an answer that is the same for everybody. */
export function publicHeaders(requestId: string, cacheControl: string): HeaderBlock {
  return { ...JSON_HEADERS, 'x-request-id': requestId, 'cache-control': cacheControl };
}

/** What the headers of a metered answer say besides. */
export interface Metered {
  readonly cost: number;
  readonly remaining: number | undefined;
}

export type MeteredHeaders = (requestId: string, cacheControl: string, metered: Metered) => HeaderBlock;

/** Headers of a metered answer, in one block: setting them one by one costs more than many an answer. */
export function createMeteredHeaders(
  answers: Pick<TokenAnswers, 'indexedSlot'>,
  dataLagMs: () => number | undefined,
): MeteredHeaders {
  return (requestId, cacheControl, { cost, remaining }) => {
    const block: HeaderBlock = publicHeaders(requestId, cacheControl);
    block['x-indexed-slot'] = answers.indexedSlot();
    block['x-credits-cost'] = cost;
    if (remaining !== undefined) block['x-credits-remaining'] = remaining;
    const lag = dataLagMs();
    if (lag !== undefined) block['x-data-lag-ms'] = Math.max(0, Math.round(lag));
    return block;
  };
}
