import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createHandClock } from '../../test/support/hand-clock.ts';
import type { Oddity } from '../kernel/journal.ts';
import { silentLogger } from '../kernel/log.ts';
import { HttpStatus } from './ask-json.ts';
import { readClose, type ToldClose } from './closing-price-answers.ts';
import { httpClosingPrices } from './closing-price-http.ts';
import {
  type ClosingPriceSource,
  type ClosingPrices,
  NoClose,
  startClosingPrices,
  TooManyQuestions,
  UnknownShare,
} from './closing-prices.ts';

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

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let prices: ClosingPrices | undefined;
afterEach(async () => {
  await prices?.stop();
  prices = undefined;
});

function raise(error: Error): never {
  throw error;
}

/** A source that says what a test wants, and whoever follows it. */
async function follow(tickers: readonly string[], answer?: (ticker: string) => ToldClose) {
  const clock = createHandClock();
  const notes: Oddity[] = [];
  const warnings: unknown[] = [];
  const asked: { readonly ticker: string; readonly at: number }[] = [];
  const state = {
    session: '2026-11-24',
    answer: answer ?? ((_ticker: string): ToldClose => ({ usd: 100, date: '2026-11-24' })),
  };
  const source: ClosingPriceSource = {
    name: 'exchange',
    async ask(ticker) {
      asked.push({ ticker, at: clock.elapsed() });
      return state.answer(ticker);
    },
  };
  prices = startClosingPrices({
    ...{ source, tickers, clock, log: { ...silentLogger, warn: (...words: unknown[]) => void warnings.push(words) } },
    lastSession: () => state.session,
    journal: { note: (oddity) => notes.push(oddity) },
  });
  await clock.advance(0);
  return { clock, notes, warnings, asked, state, prices };
}

describe('closes of shares', () => {
  it('are asked for once a session, a second apart', async () => {
    const { clock, asked, state, prices: told } = await follow(['A', 'B', 'C']);
    await clock.advance(10_000);
    expect(asked).toEqual(['A', 'B', 'C'].map((ticker, place) => ({ ticker, at: place * 1_000 })));
    expect(told.closeOf('B')).toEqual({ usd: 100, date: '2026-11-24' });
    await clock.advance(20 * HOUR_MS);
    expect(asked).toHaveLength(3);
    state.session = '2026-11-25';
    state.answer = () => ({ usd: 101.1234567, date: '2026-11-25' });
    await clock.advance(2 * MINUTE_MS);
    expect(asked).toHaveLength(6);
    expect(told.closeOf('C')).toEqual({ usd: 101.123457, date: '2026-11-25' });
  });

  it('of an older session are told, and asked for again half an hour later', async () => {
    const { clock, asked, state, prices: told } = await follow(['A'], () => ({ usd: 90, date: '2026-11-23' }));
    await clock.advance(29 * MINUTE_MS);
    expect(told.closeOf('A')?.date).toBe('2026-11-23');
    expect(asked).toHaveLength(1);
    state.answer = () => ({ usd: 100, date: '2026-11-24' });
    await clock.advance(3 * MINUTE_MS);
    expect(told.closeOf('A')?.date).toBe('2026-11-24');
    // One from before it does not take its place.
    state.session = '2026-11-25';
    state.answer = () => ({ usd: 90, date: '2026-11-20' });
    await clock.advance(2 * HOUR_MS);
    expect(told.closeOf('A')).toEqual({ usd: 100, date: '2026-11-24' });
  });

  it.each([
    ['of a session that is not over', { usd: 100, date: '2026-11-25' }],
    ['of nothing', { usd: 0, date: '2026-11-24' }],
    ['below nothing', { usd: -1, date: '2026-11-24' }],
    ['that is no number', { usd: Number.NaN, date: '2026-11-24' }],
    ['beyond every share', { usd: 1e9, date: '2026-11-24' }],
  ])('are not believed: %s', async (_, told) => {
    const answer = (ticker: string) => (ticker === 'A' ? told : { usd: 7, date: '2026-11-24' });
    const { clock, notes, prices: closes } = await follow(['A', 'B'], answer);
    await clock.advance(5_000);
    expect(closes.closeOf('A')).toBeUndefined();
    expect(closes.closeOf('B')?.usd).toBe(7);
    expect(notes).toMatchObject([{ code: 'value_out_of_range', subject: 'closing_price' }]);
  });

  it('that the source does not have are asked for once a day, and keep the others from nothing', async () => {
    const answer = (ticker: string) => {
      if (ticker === 'A') throw new UnknownShare('status 404');
      if (ticker === 'B') throw new NoClose('an answer in no known shape');
      return { usd: 7, date: '2026-11-24' };
    };
    const { clock, asked, prices: told } = await follow(['A', 'B', 'C'], answer);
    await clock.advance(3_000);
    expect(told.closeOf('C')?.usd).toBe(7);
    await clock.advance(23 * HOUR_MS);
    const times = (ticker: string) => asked.filter((each) => each.ticker === ticker).length;
    // It was the first to be asked for: whether there are others was not known.
    expect([times('A'), times('C')]).toEqual([2, 1]);
    expect(times('B')).toBeGreaterThan(20);
    expect(times('B')).toBeLessThanOrEqual(47);
    expect(told.alarms()).toEqual([]);
  });

  it('are asked for at half the pace for each answer that wants fewer questions', async () => {
    let refusals = 3;
    const { clock, asked } = await follow(['A', 'B'], () => {
      refusals -= 1;
      if (refusals >= 0) throw new TooManyQuestions('status 429');
      return { usd: 7, date: '2026-11-24' };
    });
    await clock.advance(5 * MINUTE_MS);
    const [last, first] = [asked.at(-1)!.at, asked.at(-2)!.at];
    expect(last - first).toBe(8_000);
    expect(asked).toHaveLength(5);
  });

  it('of a source that is away stay, it is asked every five minutes at most, and an hour of it is an alarm', async () => {
    const { clock, asked, state, prices: told } = await follow(['A', 'B', 'C', 'D']);
    await clock.advance(HOUR_MS);
    state.session = '2026-11-25';
    state.answer = () => {
      throw new Error('away');
    };
    asked.length = 0;
    await clock.advance(2 * HOUR_MS);
    expect(told.closeOf('A')).toEqual({ usd: 100, date: '2026-11-24' });
    expect(told.alarms().map(({ code }) => code)).toEqual(['closing_prices_silent']);
    const pauses = asked.slice(1).map(({ at }, place) => at - asked[place]!.at);
    expect(asked.length).toBeLessThan(45);
    expect(Math.max(...pauses)).toBeGreaterThanOrEqual(5 * MINUTE_MS);
    state.answer = () => ({ usd: 8, date: '2026-11-25' });
    await clock.advance(40 * MINUTE_MS);
    expect(told.closeOf('A')?.usd).toBe(8);
    expect(told.alarms()).toEqual([]);
  });
});

describe('a source that answers with no close of any share', () => {
  it('is an alarm within an hour, one that lacks a few is none', async () => {
    const answer = () => {
      throw new NoClose('an answer in no known shape');
    };
    const { clock, state, prices: told } = await follow(['A', 'B'], answer);
    await clock.advance(2 * HOUR_MS);
    expect(told.alarms().map(({ code }) => code)).toEqual(['closing_prices_silent']);
    state.answer = (ticker) => (ticker === 'A' ? answer() : { usd: 7, date: '2026-11-24' });
    await clock.advance(HOUR_MS);
    expect(told.alarms()).toEqual([]);
    await clock.advance(20 * HOUR_MS);
    expect(told.alarms()).toEqual([]);
  });
});

describe('a source that has hardly any share', () => {
  const tickers = Array.from({ length: 40 }, (_, place) => `T${place}`);
  const unknown = (): never => {
    throw new UnknownShare('status 404');
  };
  const told = { usd: 7, date: '2026-11-24' };

  it('is an alarm within hours, and is asked again for all of them as soon as it can answer', async () => {
    const { clock, state, prices: closes } = await follow(tickers, unknown);
    await clock.advance(2 * HOUR_MS);
    expect(closes.alarms().map(({ code }) => code)).toEqual(['closing_prices_silent']);
    state.answer = () => told;
    await clock.advance(HOUR_MS);
    expect(tickers.filter((ticker) => closes.closeOf(ticker) === undefined)).toEqual([]);
    expect(closes.alarms()).toEqual([]);
  });

  it.each([
    [1, ['closing_prices_silent']],
    [3, ['closing_prices_silent']],
    [4, []],
  ])('of forty, %i told: %j', async (known, alarms) => {
    for (const refuse of [unknown, (): never => raise(new NoClose('no shape'))]) {
      const answer = (ticker: string) => (Number(ticker.slice(1)) < known ? told : refuse());
      const { clock, prices: closes } = await follow(tickers, answer);
      await clock.advance(3 * HOUR_MS);
      expect(closes.alarms().map(({ code }) => code)).toEqual(alarms);
      await closes.stop();
    }
  });
});

describe('what is wrong with a source', () => {
  it('is noted and warned of once for each share and session', async () => {
    const answer = (ticker: string) => {
      if (ticker === 'A') return { usd: -1, date: '2026-11-24' };
      if (ticker === 'B') throw new Error('status 500');
      // Of the session before: it is asked for again and again.
      return { usd: 7, date: '2026-11-20' };
    };
    const { clock, notes, warnings, state, asked } = await follow(['A', 'B', 'C'], answer);
    await clock.advance(20 * HOUR_MS);
    expect(asked.filter(({ ticker }) => ticker === 'A').length).toBeGreaterThan(20);
    expect([notes.length, warnings.length]).toEqual([1, 1]);
    state.session = '2026-11-25';
    await clock.advance(20 * HOUR_MS);
    expect([notes.length, warnings.length]).toEqual([2, 2]);
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
