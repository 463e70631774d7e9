import type { Random } from '../../src/simulator/random.ts';

/** Bytes that are no request, or two, or more than one reading of the same. `start` is a request line without its version. */
export function brokenHttp(start: string, credentials: string, random: Random): Buffer {
  const head = `${start} HTTP/1.1\r\nHost: x\r\n${credentials}`;
  return Buffer.from(random.pick(BREAKS)(head, start, random), 'latin1');
}

type Break = (head: string, start: string, random: Random) => string;

/** A second request, hidden in the first: whoever runs it was deceived about where the first one ends. */
const SMUGGLED = 'DELETE /api/account/keys/1 HTTP/1.1\r\nHost: x\r\nX-Smuggled: 1\r\n\r\n';

const BREAKS: readonly Break[] = [
  (head) => `${head}Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef`,
  (head) => `${head}Content-Length: ${SMUGGLED.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  (head) => `${head}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  (head) => `${head}Transfer-Encoding: xchunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n`,
  ...[
    'gzip, chunked',
    'identity, chunked',
    ',chunked',
    'gzip\r\nTransfer-Encoding: chunked',
    'identity',
    '',
    'chunked;q=1',
  ].map(
    (coding): Break =>
      (head) =>
        `${head}Transfer-Encoding: ${coding}\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  ),
  ...['x', '', '200-ok', '100-continue, x', '100-continue\r\nExpect: x'].map(
    (expectation): Break =>
      (head) =>
        `${head}Expect: ${expectation}\r\nContent-Length: ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`,
  ),
  (head) => `${head}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`,
  (head) => `${head}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n`,
  (head) => `${head}Transfer-Encoding: chunked\r\n\r\n-1\r\nab\r\n`,
  (head) => `${head}Transfer-Encoding: chunked\r\n\r\n5;${'e'.repeat(30_000)}\r\nabcde\r\n0\r\n\r\n`,
  (head) => `${head}Content-Length: -1\r\n\r\n`,
  (head) => `${head}Content-Length: 1e3\r\n\r\n`,
  (head) => `${head}Content-Length: 99999999999999999999\r\n\r\n`,
  (head) => `${head}X-Folded: a\r\n b\r\n\r\n`,
  (head) => `${head}X-Nul: a\0b\r\n\r\n`,
  (head) => `${head}No colon here\r\n\r\n`,
  (head) => `${head}: no name\r\n\r\n`,
  (head) => `${head}X-Sp ace: 1\r\n\r\n`,
  (head) => `${head}X-Bare: a\nX-Injected: b\r\n\r\n`,
  (head) => `${head}X-Long: ${'l'.repeat(20_000)}\r\n\r\n`,
  (head) => `${head}${'X-Many: 1\r\n'.repeat(3_000)}\r\n`,
  (head) => head.replace('Host: x\r\n', '').concat('\r\n'),
  (head) => head.replace('Host: x', 'Host: x\r\nHost: y').concat('\r\n'),
  (_head, start) => `${start}\r\n\r\n`,
  (_head, start) => `${start} HTTP/0.9\r\n\r\n`,
  (_head, start) => `${start} HTTP/2.0\r\nHost: x\r\n\r\n`,
  (_head, start) => `${start} HTTP/1.1 \r\nHost: x\r\n\r\n`,
  (_head, start) => `${start} HTTPS/1.1\r\nHost: x\r\n\r\n`,
  (_head, start) => `${start.replace(' ', '  ')} HTTP/1.1\r\nHost: x\r\n\r\n`,
  (_head, start) => `${start.replace(' /', ' http://elsewhere.example/')} HTTP/1.1\r\nHost: x\r\n\r\n`,
  (_head, start) => `${start.replace(/ \/[^ ]*/, ' *')} HTTP/1.1\r\nHost: x\r\n\r\n`,
  (_head, start) => `${start}#fragment HTTP/1.1\r\nHost: x\r\n\r\n`,
  (_head, start) => `${start}\0 HTTP/1.1\r\nHost: x\r\n\r\n`,
  (_head, start) => `${start}\x80\xff HTTP/1.1\r\nHost: x\r\n\r\n`,
  (_head, start) => `${start}${'?a=1&'.repeat(5_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  () => 'CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: 127.0.0.1:22\r\n\r\n',
  () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  () => 'get /api/health HTTP/1.1\r\nHost: x\r\n\r\n',
  () => 'CONNECT /api/health HTTP/1.1\r\nHost: x\r\n\r\n',
  () => 'FOO /api/health HTTP/1.1\r\nHost: x\r\n\r\n',
  () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'.padEnd(300, '\x7f'),
  () => '\r\n\r\n\r\n\r\n\0\0\0\0',
  () => `${'G'.repeat(40_000)}`,
  (_head, _start, random) =>
    Buffer.from(random.bytes(random.between(1, 3_000)))
      .toString('latin1')
      .concat('\r\n\r\n'),
];

/** Requests that stop arriving: each is given up in the service's own time, and takes nothing with it. */
export function unfinishedRequests(credentials: string): readonly Buffer[] {
  return [
    'GET /api/hea',
    `GET /api/tokens HTTP/1.1\r\nHost: x\r\n${credentials}X-Slow: `,
    `POST /api/auth/nonce HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"wallet":`,
    `POST /api/wallet-groups HTTP/1.1\r\nHost: x\r\n${credentials}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"nam\r\n`,
    `PUT /api/wallet-groups/a HTTP/1.1\r\nHost: x\r\n${credentials}Content-Type: application/json\r\nContent-Length: 20\r\nExpect: 100-continue\r\n\r\n`,
  ].map((text) => Buffer.from(text, 'latin1'));
}
