import type { Random } from '../../src/simulator/random.ts';

type Header = readonly [string, string];

/** Headers besides credentials: some that clients send, and some that they should not. */
export function fuzzHeaders(etags: readonly string[], random: Random): Header[] {
  const headers: Header[] = [];
  if (random.chance(0.3)) headers.push(['Accept', random.pick(ACCEPTS)]);
  if (random.chance(0.25)) headers.push(['If-None-Match', entityTags(etags, random)]);
  while (random.chance(0.25)) headers.push(random.pick(ODD_HEADERS));
  if (random.chance(0.1)) headers.push([random.pick(ADDRESS_HEADERS), random.pick(ADDRESSES)]);
  if (random.chance(0.01)) headers.push(...flood(random));
  return headers;
}

/** RFC 9457 is answered to whoever lists it. */
export const PROBLEM_TYPE = 'application/problem+json';

const ACCEPTS: readonly string[] = [
  '*/*',
  'application/json',
  PROBLEM_TYPE,
  `${PROBLEM_TYPE}, application/json;q=0.5`,
  `application/json, ${PROBLEM_TYPE}`,
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'text/event-stream',
  'text/csv',
  'application/x-ndjson',
  'application/*;q=0',
  'image/*',
  ';',
  ',,,',
  'a/b;q=1e999',
  '*'.repeat(500),
];

const ODD_HEADERS: readonly Header[] = [
  ['User-Agent', '() { :; }; echo x'],
  ['User-Agent', ''],
  ['Accept-Encoding', 'gzip, br, zstd, identity;q=0'],
  ['Accept-Language', '*;q=1e9'],
  ['Origin', 'https://elsewhere.example'],
  ['Origin', 'null'],
  ['Referer', 'https://elsewhere.example/page?key=x'],
  ['Range', 'bytes=0-0,-1,5-2'],
  ['If-Modified-Since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ['If-Match', '"x"'],
  ['If-Range', '"x"'],
  ['Cache-Control', 'no-cache, max-age=-1'],
  ['Content-Encoding', 'gzip'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Original-URL', '/api/account'],
  ['X-Rewrite-URL', '/metrics'],
  ['X-Request-Id', '01ARZ3NDEKTSV4RRFFQ69G5FAV'],
  ['X-Api-Version', '1999-01-01'],
  ['X-Credits-Cost', '-1000000'],
  ['Upgrade', 'h2c'],
  ['Expect', '100-continue'],
  ['Connection', 'close'],
  ['Connection', 'keep-alive, X-API-Key'],
  ['Keep-Alive', 'timeout=999999, max=1'],
  ['TE', 'trailers, deflate;q=0.5'],
  ['Trailer', 'X-API-Key'],
  ['Forwarded', 'for="[2001:db8::1]:99";proto=https;by=127.0.0.1'],
  ['X-Forwarded-Proto', 'https'],
  ['X-Forwarded-Host', 'elsewhere.example'],
  ['Sec-Fetch-Site', 'same-origin'],
  ['Sec-Fetch-Mode', 'navigate'],
  ['traceparent', '00-00000000000000000000000000000000-0000000000000000-00'],
  ['Authorization', 'Basic Og=='],
  ['Authorization', `Bearer ${'x'.repeat(2_000)}`],
  ['__proto__', 'x'],
  ['constructor', 'x'],
  ['X-Long', 'y'.repeat(6_000)],
  ['X-Bytes', '\x80\xff\xe9'],
];

const ADDRESS_HEADERS: readonly string[] = ['X-Forwarded-For', 'X-Real-IP', 'CF-Connecting-IP', 'X-Client-IP'];
const ADDRESSES: readonly string[] = [
  '127.0.0.1',
  '10.0.0.1, 192.168.0.1, 127.0.0.1',
  '203.0.113.7',
  '::1',
  '::ffff:203.0.113.7',
  '2001:db8:1::1',
  'fe80::1%eth0',
  '999.999.999.999',
  'unknown',
  ',',
  '203.0.113.7:8080',
  '"203.0.113.7"',
  "'; DROP TABLE trials; --",
  '1.1.1.1,'.repeat(300),
];

function entityTags(etags: readonly string[], random: Random): string {
  const known = etags.length === 0 ? '"x"' : random.pick(etags);
  return random.pick([
    known,
    known,
    `W/${known}`,
    `"a", ${known}`,
    '*',
    '"',
    known.slice(0, -1),
    `${known},`.repeat(200),
    ',,,',
    'W/',
  ]);
}

/** Just below and just above what the header of a request may hold. */
function flood(random: Random): Header[] {
  const count = random.pick([50, 200, 900, 2_500]);
  return Array.from({ length: count }, (_, at): Header => [`X-Flood-${at}`, 'z']);
}
