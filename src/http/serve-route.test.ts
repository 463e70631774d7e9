import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { buildTestApp, TEST_KEY, TEST_PRINCIPAL, testGate } from '../../test/support/api-app.ts';
import { eventually } from '../../test/support/eventually.ts';
import { createMemoryMeter } from '../../test/support/memory-meter.ts';
import { INDEXED_SLOT, KNOWN_MINT } from '../../test/support/token-answers.ts';
import type { CreditMeter } from '../accounts/credits/credit-meter.ts';
import { ApiError } from '../contract/errors.ts';
import { flatPrice } from '../contract/price.ts';
import { createPriceBook } from '../contract/price-book.ts';
import type { RouteContract } from '../contract/route.ts';
import { Absence, stampBody } from '../contract/stamp.ts';
import { getToken } from '../features/tokens/contract.ts';
import { type Answer, bind } from '../handlers/bind.ts';
import { ReadFault } from '../store/reads/read-fault.ts';
import { Asker, type Reader, readerNow } from '../store/reads/reader.ts';
import { createAnswersUnderWay } from './answers-under-way.ts';
import { createAnswerHeaders } from './headers.ts';
import { readShare } from './read-share.ts';
import { serveRoute } from './serve-route.ts';

const CREDITS = 100;
const PRICE = 40;
const BODY = Buffer.from('{"some":"thing"}');
const apps: FastifyInstance[] = [];

afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

describe('an answer of its own shape', () => {
  it.each([
    ['at once', (answer: object) => answer as Answer],
    ['in a while', (answer: object) => Promise.resolve(answer) as Answer],
  ])('redirects without a body, %s', async (_when, give) => {
    const { ask, left } = serve(() => give({ body: undefined, status: 302, location: 'https://example.com/i.png' }));
    const { statusCode, headers, body } = await ask();
    expect([statusCode, body, headers.location]).toEqual([302, '', 'https://example.com/i.png']);
    expect(headers['content-type']).toBeUndefined();
    expect(headers['cache-control']).toBe(getToken.cacheControl);
    expect([headers['x-credits-cost'], left()]).toEqual([String(PRICE), CREDITS - PRICE]);
  });

  it('carries its own Cache-Control', async () => {
    const { ask } = serve(() => ({ body: BODY, cacheControl: 'no-store' }));
    const { headers, body } = await ask();
    expect([headers['cache-control'], body]).toEqual(['no-store', BODY.toString()]);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('costs what it says instead of the price', async () => {
    const { ask, left } = serve(() => ({ body: BODY, cost: 27 }));
    expect((await ask()).headers['x-credits-cost']).toBe('27');
    expect(left()).toBe(CREDITS - 27);
  });

  it('never costs more than was taken for it', async () => {
    const { ask, left } = serve(() => ({ body: BODY, cost: PRICE + 1 }));
    expect((await ask()).headers['x-credits-cost']).toBe(String(PRICE));
    expect(left()).toBe(CREDITS - PRICE);
  });

  it('has an entity tag where the contract gives one, and 304 for it', async () => {
    const { ask, left } = serve(() => ({ body: BODY, cacheControl: 'private, max-age=5' }), { etag: true });
    const { headers } = await ask();
    const again = await ask({ 'if-none-match': String(headers.etag) });
    expect([again.statusCode, again.body, again.headers['cache-control']]).toEqual([304, '', 'private, max-age=5']);
    expect([again.headers['x-credits-cost'], left()]).toEqual(['1', CREDITS - PRICE - 1]);
  });
});

describe('a 404', () => {
  it.each([
    [false, '1'],
    [true, '0'],
  ])('of a route that says freeWhenAbsent: %s costs %s', async (freeWhenAbsent, cost) => {
    const { ask, left } = serve(() => Promise.resolve(undefined), { freeWhenAbsent });
    const { statusCode, headers } = await ask();
    expect([statusCode, headers['x-credits-cost'], left()]).toEqual([404, cost, CREDITS - Number(cost)]);
    expect(headers['cache-control']).toBe('no-store');
  });

  it('carries the slot up to which there was nothing, and none where no data was looked at', async () => {
    const { ask } = serve(() => Promise.resolve(new Absence(77)));
    expect((await ask()).headers['x-indexed-slot']).toBe('77');
    const other = await serve(() => Promise.resolve(undefined)).ask();
    expect([other.statusCode, other.headers['x-indexed-slot']]).toEqual([404, undefined]);
  });

  it('is kept as long as its error says', async () => {
    const { ask } = serve(() =>
      Promise.reject(new ApiError('image_not_found', { cacheControl: 'private, max-age=90' })),
    );
    const { statusCode, headers, body } = await ask();
    expect([statusCode, headers['cache-control']]).toEqual([404, 'private, max-age=90']);
    expect(JSON.parse(body).error.code).toBe('image_not_found');
  });
});

describe('an answer that does not come in time', () => {
  it.each([
    ['GET', 'the read did not finish in time; ask for less'],
    ['POST', 'not finished in time, and perhaps done all the same: look before you ask again'],
  ] as const)('to %s says what to do', async (method, message) => {
    const { ask, left } = serve(() => new Promise(() => {}), { method, limits: { timeoutMs: 5 } });
    const { statusCode, body } = await ask();
    expect([statusCode, JSON.parse(body).error.message, left()]).toEqual([504, message, CREDITS]);
  });

  it('is given up for good: what comes later is neither sent nor charged', async () => {
    let come: (body: Buffer) => void = () => {};
    const read = () =>
      new Promise<Buffer>((resolve) => {
        come = resolve;
      });
    const { ask, left } = serve(read, { limits: { timeoutMs: 5 } });
    expect((await ask()).statusCode).toBe(504);
    come(Buffer.from('{}'));
    await new Promise(setImmediate);
    expect(left()).toBe(CREDITS);
  });
});

describe('a request over its share of the store', () => {
  it('is 429 that costs nothing, with when to come again', async () => {
    const { ask, left } = serve(() => Promise.reject(new ReadFault('over_share', 'too many reads at once', 3)));
    const { statusCode, headers, body } = await ask();
    expect([statusCode, JSON.parse(body).error.code]).toEqual([429, 'rate_limited']);
    expect([headers['retry-after'], headers['x-credits-cost'], left()]).toEqual(['3', '0', CREDITS]);
  });
});

describe('reads of a request', () => {
  /** Answers when it is told to, and remembers on whose behalf it reads. */
  function reading() {
    const read = { asker: undefined as Asker | undefined, answer: (_body: Buffer) => {} };
    return {
      read,
      begun: () =>
        eventually(() => {
          if (read.asker === undefined) throw new Error('nothing has been read yet');
          return read.asker;
        }),
      start: () => {
        const reader = readerNow();
        if (reader instanceof Asker) read.asker = reader;
        return new Promise<Buffer>((resolve) => {
          read.answer = resolve;
        });
      },
    };
  }

  it('are made in the share of its key and account', async () => {
    const { start, begun, read } = reading();
    const { ask } = serve(start);
    const answer = ask();
    const { share } = await begun();
    expect(share).toEqual({ account: `account ${TEST_PRINCIPAL.accountId}`, key: `key ${TEST_PRINCIPAL.id}` });
    read.answer(BODY);
    expect((await answer).statusCode).toBe(200);
  });

  it('end with a body that was at hand, though something is read on behind it', async () => {
    const askers: Reader[] = [];
    const { statusCode } = await serve(() => {
      askers.push(readerNow());
      return BODY;
    }).ask();
    const failed = await serve(() => {
      askers.push(readerNow());
      throw new ReadFault('over_share', 'too many reads at once', 3);
    }).ask();
    expect([statusCode, failed.statusCode]).toEqual([200, 429]);
    expect(askers.map(({ left }) => left)).toEqual([expect.any(Error), expect.any(Error)]);
  });

  it('end with its time, and with its answer', async () => {
    const slow = reading();
    const { statusCode } = await serve(slow.start, { limits: { timeoutMs: 5 } }).ask();
    expect([statusCode, slow.read.asker?.left]).toEqual([504, expect.any(Error)]);
    const quick = reading();
    const answer = serve(quick.start).ask();
    expect((await quick.begun()).left).toBeUndefined();
    quick.read.answer(BODY);
    await answer;
    expect(quick.read.asker?.left).toBeDefined();
  });

  it('end when whoever asked hangs up', async () => {
    const { start, begun } = reading();
    const { address } = await serve(start).listen();
    const hangUp = new AbortController();
    const answer = fetch(`${address}/t/tokens/${KNOWN_MINT}`, {
      headers: { 'x-api-key': TEST_KEY },
      signal: hangUp.signal,
    });
    const { left } = await begun();
    expect(left).toBeUndefined();
    hangUp.abort();
    await expect(answer).rejects.toThrow();
    await eventually(async () => expect((await begun()).left).toBeDefined());
  });

  it('are not begun for whoever hung up while its credits were taken, and cost nothing', async () => {
    const credits = { asked: false, give: () => {} };
    const late = new Promise<void>((resolve) => {
      credits.give = resolve;
    });
    const read: { left?: Error | undefined; times: number } = { times: 0 };
    const closed: boolean[] = [];
    const { listen, left, app } = serve(
      async () => {
        read.times += 1;
        read.left = readerNow().left;
        throw new ReadFault('abandoned', 'gone');
      },
      {},
      (meter) => ({
        ...meter,
        reserve: async (...call) => {
          credits.asked = true;
          await late;
          return meter.reserve(...call);
        },
      }),
    );
    app.addHook('onRequest', async (_request, reply) => void reply.raw.once('close', () => closed.push(true)));
    const { address } = await listen();
    const hangUp = new AbortController();
    const headers = { 'x-api-key': TEST_KEY };
    const answer = fetch(`${address}/t/tokens/${KNOWN_MINT}`, { headers, signal: hangUp.signal });
    answer.catch(() => {});
    await eventually(() => expect(credits.asked).toBe(true));
    hangUp.abort();
    await eventually(() => expect(closed).toEqual([true]));
    credits.give();
    await eventually(() => expect(read.times).toBe(1));
    expect(read.left).toBeDefined();
    await eventually(() => expect(left()).toBe(CREDITS));
  });

  it('without a key are made in the share of the address, all of an IPv6 network /64 in one', () => {
    const shareAt = (clientAddress: string) => readShare({ keyPrincipal: undefined, clientAddress }).account;
    expect(shareAt('192.0.2.7')).not.toBe(shareAt('192.0.2.8'));
    expect(shareAt('2001:db8:0:1::7')).toBe(shareAt('2001:db8:0:1:ffff::8'));
    expect(shareAt('2001:db8:0:1::7')).not.toBe(shareAt('2001:db8:0:2::7'));
  });
});

describe('the slot of an answer', () => {
  it('is that of its bytes where they were stamped, for whoever has them already too, else the newest', async () => {
    const old = INDEXED_SLOT - 62;
    const stamped = stampBody(Buffer.from('{"data":[1]}'), old);
    const { ask } = serve(() => stamped, { etag: true });
    const first = await ask();
    expect(first.headers['x-indexed-slot']).toBe(String(old));
    const again = await ask({ 'if-none-match': String(first.headers.etag) });
    expect([again.statusCode, again.headers['x-indexed-slot']]).toEqual([304, String(old)]);
    const late = await serve(async () => ({ body: stamped, cost: 1 })).ask();
    expect(late.headers['x-indexed-slot']).toBe(String(old));
    expect((await serve(() => BODY).ask()).headers['x-indexed-slot']).toBe(String(INDEXED_SLOT));
  });
});

/** One route of the given answer, priced 40, and what its key has left of 100. */
function serve(
  read: () => Answer,
  changes: Partial<RouteContract> = {},
  asMeter: (meter: CreditMeter) => CreditMeter = (meter) => meter,
) {
  const meter = createMemoryMeter({ credits: CREDITS, enforce: true });
  const app = buildTestApp();
  apps.push(app);
  const contract: RouteContract = { ...getToken, price: flatPrice(PRICE), ...changes } as RouteContract;
  const headers = createAnswerHeaders({
    indexedSlot: () => INDEXED_SLOT,
    dataLagMs: () => undefined,
    publicOrigin: undefined,
  });
  const services = {
    gate: testGate(),
    meter: asMeter(meter),
    prices: createPriceBook({ routes: [], now: () => 0 }),
    headers,
    underWay: createAnswersUnderWay(),
  };
  app.register(async (api) => serveRoute(api, bind(contract, read), services), { prefix: '/t' });
  return {
    app,
    ask: (headers: Record<string, string> = {}) =>
      app.inject({
        method: contract.method,
        url: `/t/tokens/${KNOWN_MINT}`,
        headers: { 'x-api-key': TEST_KEY, ...headers },
      }),
    left: () => meter.remaining(TEST_PRINCIPAL),
    listen: async () => ({ address: await app.listen({ host: '127.0.0.1', port: 0 }) }),
  };
}
