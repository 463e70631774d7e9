import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HttpStatus } from './ask-json.ts';
import { readClose } from './closing-price-answers.ts';
import { httpClosingPrices } from './closing-price-http.ts';
import { NoClose, TooManyQuestions, UnknownShare } from './closing-prices.ts';

describe('answers that tell a close', () => {
  it.each([
    ['ours', { close: 268.1, date: '2026-11-25' }],
    ['ours, in texts', { close: '268.10', date: '2026-11-25' }],
    // Nine in the evening of UTC, when the exchanges close.
    ['Polygon', { status: 'OK', results: [{ T: 'AAPL', c: 268.1, o: 266, t: Date.parse('2026-11-25T21:00:00Z') }] }],
    // Midnight in New York, in winter.
    ['Polygon, by the day', { results: [{ c: 268.1, t: Date.parse('2026-11-25T05:00:00Z') }] }],
    ['Twelve Data', { symbol: 'AAPL', exchange: 'NASDAQ', datetime: '2026-11-25', close: '268.10' }],
    [
      'Tiingo',
      [
        { date: '2026-11-24T00:00:00.000Z', close: 260 },
        { date: '2026-11-25T00:00:00.000Z', close: 268.1 },
      ],
    ],
  ])('are read: %s', (_, answer) => {
    expect(readClose(answer)).toEqual({ usd: 268.1, date: '2026-11-25' });
  });

  it.each([
    ['without a date', { close: 268.1 }],
    ['with a date of another form', { close: 268.1, date: '25.11.2026' }],
    ['with an empty close', { close: '', date: '2026-11-25' }],
    ['of a day out of time', { results: [{ c: 1, t: 1e300 }] }],
    ['of nothing', { results: [] }],
    ['of an error', { code: 404, message: 'no such symbol', status: 'error' }],
    ['that are lists of nothing', []],
    ['that are no object', 268.1],
    ['that are null', null],
  ])('are not read: %s', (_, answer) => {
    expect(readClose(answer)).toBeUndefined();
  });
});

describe('a source behind an address', () => {
  let server: Server;
  const seen: { readonly url: string | undefined; readonly login: string | undefined }[] = [];
  let says: { readonly status: number; readonly body: string };
  let base: string;

  beforeAll(async () => {
    server = createServer((request, response) => {
      seen.push({ url: request.url, login: request.headers.authorization });
      response.writeHead(says.status, { location: '/elsewhere' }).end(says.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const ask = (ticker: string) =>
    httpClosingPrices(`http://some:one@${base}/eod/{ticker}?symbol={ticker}&key=secret`).ask(
      ticker,
      new AbortController().signal,
    );

  it('is asked for the share wherever its mark stands, and is named by its host alone', async () => {
    says = { status: 200, body: '{"close":1.5,"date":"2026-11-25"}' };
    expect(await ask('BRK.B/&')).toEqual({ usd: 1.5, date: '2026-11-25' });
    expect(seen.at(-1)).toEqual({
      url: '/eod/BRK.B%2F%26?symbol=BRK.B%2F%26&key=secret',
      login: `Basic ${Buffer.from('some:one').toString('base64')}`,
    });
    expect(httpClosingPrices(`http://some:one@${base}/{ticker}?key=secret`).name).toBe(base);
  });

  it.each([
    [404, '{}', UnknownShare],
    [429, '{}', TooManyQuestions],
    [500, '{}', Error],
    [302, '', Error],
    [200, 'no json', SyntaxError],
    [200, '{"message":"no"}', NoClose],
    [200, '{"code":404,"message":"no such symbol","status":"error"}', UnknownShare],
    [200, '{"code":429,"message":"out of credits","status":"error"}', TooManyQuestions],
    [200, '{"code":401,"message":"no key","status":"error"}', HttpStatus],
    [200, '{"code":403,"message":"not of your plan","status":"error"}', HttpStatus],
    [200, '{"code":7,"status":"error"}', NoClose],
    [401, '{}', HttpStatus],
    [200, `{"close":1,"date":"2026-11-25","more":"${'x'.repeat(300_000)}"}`, Error],
  ])('that answers %i %.20s is refused', async (status, body, kind) => {
    says = { status, body };
    await expect(ask('A')).rejects.toThrow(kind);
  });
});
