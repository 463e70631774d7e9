import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHandClock } from '../../test/support/hand-clock.ts';
import type { Oddity } from '../kernel/journal.ts';
import { silentLogger } from '../kernel/log.ts';
import { MAX_AGE_MS, type SolPriceSource, startSolPrice } from './sol-price.ts';
import { httpSolPrice } from './sol-price-http.ts';
import { readSolUsd } from './sol-usd-answers.ts';

describe('answers of exchanges and aggregators', () => {
  it.each([
    ['Kraken', { error: [], result: { SOLUSD: { a: ['142.4', '1', '1'], c: ['142.37', '0.1'], o: '140' } } }, 142.37],
    ['Coinbase', { data: { amount: '142.37', base: 'SOL', currency: 'USD' } }, 142.37],
    ['Binance', { symbol: 'SOLUSDT', price: '142.37000000' }, 142.37],
    ['Coinbase Exchange', { trade_id: 7, price: '142.37', bid: '142.36', ask: '142.38' }, 142.37],
    ['CoinGecko', { solana: { usd: 142.37 } }, 142.37],
    ['Jupiter', { So11111111111111111111111111111111111111112: { usdPrice: 142.37, decimals: 9 } }, 142.37],
  ])('are read: %s', (_, answer, usd) => {
    expect(readSolUsd(answer)).toBe(usd);
  });

  it.each([
    ['another currency', { data: { amount: '130.1', base: 'SOL', currency: 'EUR' } }],
    ['another pair', { symbol: 'BTCUSDT', price: '90000' }],
    ['another coin', { bitcoin: { usd: 90_000 } }],
    ['an error', { error: ['EQuery:Unknown asset pair'] }],
    ['an empty price', { symbol: 'SOLUSDT', price: '' }],
    ['no object', 142.37],
    ['null', null],
  ])('are not read when they are of %s', (_, answer) => {
    expect(readSolUsd(answer)).toBeUndefined();
  });
});

/** Whatever waits for nothing but promises has gone on. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A source that says what a test wants, and counts. */
function scripted(name: string): SolPriceSource & { says: number | Error; asked: number } {
  const source = {
    name,
    says: 150 as number | Error,
    asked: 0,
    async ask() {
      source.asked += 1;
      if (source.says instanceof Error) throw source.says;
      return source.says;
    },
  };
  return source;
}

async function follow() {
  const clock = createHandClock();
  const notes: Oddity[] = [];
  const exchange = scripted('exchange');
  const aggregator = scripted('aggregator');
  const open = async () => {
    const price = startSolPrice({
      sources: [exchange, aggregator],
      clock,
      log: silentLogger,
      journal: { note: (oddity) => notes.push(oddity) },
    });
    await settled();
    return price;
  };
  return { clock, notes, exchange, aggregator, open };
}

describe('the price of SOL', () => {
  it('is unknown until somebody answers, and then asked for about every five seconds', async () => {
    const { clock, exchange, aggregator, open } = await follow();
    exchange.says = new Error('down');
    aggregator.says = new Error('down');
    const price = await open();
    expect(price.usd()).toBeUndefined();
    expect(price.quote()).toBeUndefined();
    aggregator.says = 151.5;
    await clock.advance(15_000);
    expect(price.usd()).toBe(151.5);
    const { asked } = aggregator;
    await clock.advance(20_000);
    expect(aggregator.asked - asked).toBe(4);
    await price.stop();
  });

  it('comes from the first source again once that is well', async () => {
    const { clock, exchange, aggregator, open } = await follow();
    exchange.says = new Error('down');
    aggregator.says = 149;
    const price = await open();
    expect(price.usd()).toBe(149);
    exchange.says = 150.25;
    await clock.advance(15_000);
    expect(price.usd()).toBe(150.25);
    const { asked } = aggregator;
    await clock.advance(30_000);
    expect(aggregator.asked).toBe(asked);
    await price.stop();
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 301, 74, 2e6])(
    'does not follow a source that says %d, and journals it',
    async (wild) => {
      const { clock, notes, exchange, aggregator, open } = await follow();
      aggregator.says = new Error('down');
      const price = await open();
      exchange.says = wild;
      await clock.advance(5_000);
      expect(price.usd()).toBe(150);
      expect(notes).toMatchObject([{ code: 'value_out_of_range', subject: 'sol_price' }]);
      exchange.says = 152;
      await clock.advance(15_000);
      expect(price.usd()).toBe(152);
      await price.stop();
    },
  );

  it.each([0, -1, Number.NaN, 1_000_001])('is unknown while all that was ever said is %d', async (wild) => {
    const { clock, notes, exchange, aggregator, open } = await follow();
    exchange.says = wild;
    aggregator.says = wild;
    const price = await open();
    await clock.advance(30_000);
    expect(price.usd()).toBeUndefined();
    expect(price.quote()).toBeUndefined();
    expect(notes.length).toBeGreaterThan(1);
    await price.stop();
  });

  it('values nothing once it is too old, though its age is told, and begins anew with any price', async () => {
    const { clock, exchange, aggregator, open } = await follow();
    const price = await open();
    exchange.says = new Error('down');
    aggregator.says = new Error('down');
    await clock.advance(MAX_AGE_MS);
    expect(price.usd()).toBe(150);
    await clock.advance(1_000);
    expect(price.usd()).toBeUndefined();
    expect(price.quote()).toEqual({ usd: 150, ageMs: MAX_AGE_MS + 1_000 });
    exchange.says = 20;
    await clock.advance(300_000);
    expect(price.usd()).toBe(20);
    await price.stop();
  });

  it('asks nobody any more once it is stopped', async () => {
    const { clock, exchange, open } = await follow();
    const price = await open();
    await price.stop();
    const { asked } = exchange;
    await clock.advance(60_000);
    expect(exchange.asked).toBe(asked);
  });
});

describe('a source over HTTP', () => {
  const LOGIN = `Basic ${Buffer.from('me:p@ss').toString('base64')}`;
  let server: Server;
  let base: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      const answers: Record<string, () => void> = {
        '/good': () => response.end('{"symbol":"SOLUSDT","price":"142.37000000"}'),
        '/broken': () => response.end('{"symbol":'),
        '/other': () => response.end('{"hello":"world"}'),
        '/busy': () => response.writeHead(429).end('{"solana":{"usd":1}}'),
        '/elsewhere': () => response.writeHead(302, { location: '/good' }).end(),
        '/private': () => response.end(request.headers.authorization === LOGIN ? '{"solana":{"usd":142.37}}' : '{}'),
        '/endless': () => response.end(`{"solana":{"usd":142.37},"padding":"${'x'.repeat(100_000)}"}`),
      };
      answers[request.url ?? '']?.();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const ask = (path: string, signal = new AbortController().signal) => httpSolPrice(`${base}${path}`).ask(signal);

  it('tells the price', async () => {
    expect(await ask('/good')).toBe(142.37);
  });

  it.each(['/broken', '/other', '/busy', '/elsewhere', '/endless'])('has none in %s', async (path) => {
    await expect(ask(path)).rejects.toThrow();
  });

  it('is not waited for once nobody wants it', async () => {
    const stopping = new AbortController();
    const asked = ask('/silent', stopping.signal);
    stopping.abort();
    await expect(asked).rejects.toThrow();
  });

  it('sends the user and the password that its address holds, and tells nobody of them', async () => {
    const withLogin = (path: string) => httpSolPrice(`${base.replace('//', '//me:p%40ss@')}${path}`);
    expect(await withLogin('/private').ask(new AbortController().signal)).toBe(142.37);
    const refused = await withLogin('/busy')
      .ask(new AbortController().signal)
      .catch((error: unknown) => String(error));
    expect(refused).not.toContain('p%40ss');
  });

  it('is named without what its address may hold', () => {
    expect(httpSolPrice('https://user:secret@example.com/a?key=secret').name).toBe('example.com');
  });
});
