/** Version of the interface, by date; additive changes do not change it. */
export const API_VERSION = '2026-09-01';
/** Where every path of the contract lives. */
export const BASE_PATH = '/api';
/** Largest request body, bytes. */
export const BODY_LIMIT_BYTES = 256 * 1024;

/** What a session's cookie is called. The prefix binds it to one origin over TLS: browsers take it with `Secure`, `Path=/` and no domain alone. */
export const SESSION_COOKIE = '__Host-mintscope_session';

/** What answers carry besides the body; clients in browsers may read all of them. */
export const ANSWER_HEADERS = {
  'X-Request-Id': 'Names the request; quote it when you report a problem.',
  'X-Api-Version': 'Version of the interface.',
  'X-Indexed-Slot': 'Newest slot the answer can contain.',
  'X-Data-Lag-Ms': 'Age of that slot; absent while unknown.',
  'X-Credits-Cost': 'Credits charged.',
  'X-Credits-Remaining': 'Credits left; absent when the key has no bound.',
} as const;

/** Readable by scripts of other origins. */
export const EXPOSED_HEADERS: readonly string[] = [...Object.keys(ANSWER_HEADERS), 'Retry-After', 'ETag'];
