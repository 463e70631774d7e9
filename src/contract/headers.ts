/** Version of the interface, by date; additive changes do not change it. */
export const API_VERSION = '2026-09-01';
/** Path under which every path of the contract lives. */
export const BASE_PATH = '/api';
/** Largest request body, bytes. */
export const BODY_LIMIT_BYTES = 256 * 1024;

/** Name of a session's cookie, for a service that is reached by https. */
export const SESSION_COOKIE = '__Host-mintscope_session';
/** Name of the cookie of a page of the web application whose visitor has not signed in. */
export const PAGE_COOKIE = '__Host-mintscope_page';

/** Headers that answers carry; clients in browsers may read all of them. */
export const ANSWER_HEADERS = {
  'X-Request-Id': 'Names the request; quote it when you report a problem.',
  'X-Api-Version': 'Version of the interface.',
  'X-Indexed-Slot':
    'Nothing newer is in the answer, and nothing is missing up to it but the holes that /health counts; of a 404: nothing was known up to it.',
  'X-Data-Lag-Ms': 'Age of the newest block that was indexed; absent while unknown.',
  'X-Credits-Cost': 'Credits charged.',
  'X-Credits-Remaining': 'Credits left; absent when the key has no bound.',
  'RateLimit-Policy':
    'Requests a second (`key`, or `account` in a session and for lists), and how many at once after a pause (`burst`).',
  RateLimit: '`r`: requests left of this second; `t`: seconds until the whole burst is there again.',
  'X-RateLimit-Limit': 'Requests at once after a pause.',
  'X-RateLimit-Remaining': 'Requests that could follow at once.',
  'X-RateLimit-Reset': 'Unix seconds when the whole burst is there again.',
} as const;

/** Readable by scripts of other origins. */
export const EXPOSED_HEADERS: readonly string[] = [
  ...Object.keys(ANSWER_HEADERS),
  'Retry-After',
  'ETag',
  'Deprecation',
  'Sunset',
  'Link',
];
