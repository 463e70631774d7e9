import type { TokenAnswers } from '../../books/answers.ts';
import { API_VERSION, EXPOSED_HEADERS } from '../contract/headers.ts';

export type HeaderBlock = Record<string, string | number>;

/** Nothing of an answer may run, be framed, or be sniffed as another type. */
const CONTENT_TYPE = 'application/json; charset=utf-8';
const CONTENT_SECURITY_POLICY = "default-src 'none'; frame-ancestors 'none'";
/** The same for every origin, so it is written with the rest of the block instead of by a hook on every request. */
const ALLOWED_ORIGIN = '*';
const EXPOSED = EXPOSED_HEADERS.join(', ');

/** Headers of an answer that is the same for everybody. */
export function publicHeaders(requestId: string, cacheControl: string): HeaderBlock {
  return {
    'content-type': CONTENT_TYPE,
    'x-api-version': API_VERSION,
    'x-request-id': requestId,
    'cache-control': cacheControl,
    'x-content-type-options': 'nosniff',
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': ALLOWED_ORIGIN,
    'access-control-expose-headers': EXPOSED,
  };
}

/** What the headers of a metered answer say besides. */
export interface Metered {
  readonly cost: number;
  readonly remaining: number | undefined;
}

export type MeteredHeaders = (requestId: string, cacheControl: string, metered: Metered) => HeaderBlock;

/**
 * Headers of a metered answer. They repeat the public ones, because an object
 * written down whole is made several times faster than one that is added to, and
 * this one is made for every answer.
 */
export function createMeteredHeaders(
  answers: Pick<TokenAnswers, 'indexedSlot'>,
  dataLagMs: () => number | undefined,
): MeteredHeaders {
  return (requestId, cacheControl, { cost, remaining }) => {
    const block: HeaderBlock = {
      'content-type': CONTENT_TYPE,
      'x-api-version': API_VERSION,
      'x-request-id': requestId,
      'cache-control': cacheControl,
      'x-content-type-options': 'nosniff',
      'content-security-policy': CONTENT_SECURITY_POLICY,
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': ALLOWED_ORIGIN,
      'access-control-expose-headers': EXPOSED,
      'x-indexed-slot': answers.indexedSlot(),
      'x-credits-cost': cost,
    };
    if (remaining !== undefined) block['x-credits-remaining'] = remaining;
    const lag = dataLagMs();
    if (lag !== undefined) block['x-data-lag-ms'] = Math.max(0, Math.round(lag));
    return block;
  };
}
