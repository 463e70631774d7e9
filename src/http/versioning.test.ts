import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { buildTestApp, TEST_PRINCIPAL, testGate } from '../../test/support/api-app.ts';
import { createHandClock } from '../../test/support/hand-clock.ts';
import { createMemoryMeter } from '../../test/support/memory-meter.ts';
import { INDEXED_SLOT, KNOWN_MINT } from '../../test/support/token-answers.ts';
import { KEY_HEADERS } from '../../test/support/walk/requests.ts';
import { COST_VERSION } from '../contract/cost-table.ts';
import { type Deprecation, deprecationFaults, deprecationHeaders, SUNSET_DAYS } from '../contract/deprecation.ts';
import { API_VERSION, BASE_PATH } from '../contract/headers.ts';
import { buildOpenApi } from '../contract/openapi.ts';
import { flatPrice, rowPrice } from '../contract/price.ts';
import {
  ANNOUNCED_PRICES,
  type AnnouncedPrices,
  announcementFaults,
  createPriceBook,
  NOTICE_DAYS,
} from '../contract/price-book.ts';
import type { RouteContract } from '../contract/route.ts';
import { getToken } from '../features/tokens/contract.ts';
import { bind } from '../handlers/bind.ts';
import { ROUTES } from '../routes.ts';
import { createAnswersUnderWay } from './answers-under-way.ts';
import { createAnswerHeaders } from './headers.ts';
import { serveRoute } from './serve-route.ts';

const DAY_MS = 86_400_000;
const apps: FastifyInstance[] = [];

afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

describe('a route that will go', () => {
  const deprecated: Deprecation = {
    since: '2026-10-01T00:00:00Z',
    sunset: '2027-01-15T00:00:00Z',
    link: 'https://mintscope.example/docs',
  };
  const contract: RouteContract = { ...getToken, deprecated } as RouteContract;

  it.each([
    ['an answer', KEY_HEADERS, 200],
    ['a refusal', { 'x-api-key': '' }, 401],
  ])('says so on %s', async (_what, headers, status) => {
    const app = serve(contract);
    const answer = await app.inject({ url: `/t/tokens/${KNOWN_MINT}`, headers });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers).toMatchObject({
      deprecation: '@1790812800',
      sunset: 'Fri, 15 Jan 2027 00:00:00 GMT',
      link: '<https://mintscope.example/docs>; rel="deprecation"',
      'x-api-version': API_VERSION,
    });
    expect(answer.headers['access-control-expose-headers']).toContain('Deprecation, Sunset, Link');
  });

  it('is marked in the documentation', () => {
    const { paths } = buildOpenApi([contract]) as { paths: Record<string, { get: { deprecated: boolean } }> };
    expect(paths[getToken.path]?.get.deprecated).toBe(true);
    expect(JSON.stringify(buildOpenApi([getToken as RouteContract]))).not.toContain('"deprecated"');
  });

  it('says nothing on a route that stays', async () => {
    const answer = await serve(getToken as RouteContract).inject(`/t/tokens/${KNOWN_MINT}`);
    expect([answer.headers.deprecation, answer.headers.sunset]).toEqual([undefined, undefined]);
  });

  it('answers for 90 days more at least, whichever it is', () => {
    const at = (days: number) => ({
      since: deprecated.since,
      sunset: iso(Date.parse(deprecated.since) + days * DAY_MS),
    });
    expect(deprecationFaults(at(SUNSET_DAYS))).toEqual([]);
    expect(deprecationFaults(at(SUNSET_DAYS - 1))).toHaveLength(1);
    expect(deprecationFaults({ since: 'soon', sunset: 'later' })).toHaveLength(1);
    for (const route of ROUTES)
      if (route.deprecated) expect([route.name, deprecationFaults(route.deprecated)]).toEqual([route.name, []]);
  });

  it('names times as the headers want them', () => {
    expect(deprecationHeaders({ since: '2026-10-01T00:00:00.900Z', sunset: '2027-01-15T12:00:00+02:00' })).toEqual({
      deprecation: '@1790812800',
      sunset: 'Fri, 15 Jan 2027 10:00:00 GMT',
    });
  });
});

describe('prices that are announced', () => {
  const clock = () => createHandClock(Date.parse('2026-11-01T00:00:00Z'));
  const announced: AnnouncedPrices = {
    costVersion: COST_VERSION + 1,
    announcedAt: '2026-11-01T00:00:00Z',
    effectiveAt: '2026-11-15T00:00:00.000Z',
    prices: {
      'GET /tokens/{mint}': flatPrice(3),
      'GET /tokens': { rule: '1 + 2 + 3*ceil(max(0, L-20)/50)', compute: ({ limit }) => 1 + rowPrice(Number(limit)) },
      'GET /tokens/{mint}/pack': { rule: '2*ok', compute: ({ parts }) => 2 * (parts as readonly string[]).length },
    },
  };

  it('stand in the table beside those that hold, and take their place at that moment', async () => {
    const time = clock();
    const { table } = serveAll({ clock: time, announcedPrices: announced });
    const before = await table();
    expect(before.body).toMatchObject({
      cost_version: COST_VERSION,
      next: { cost_version: COST_VERSION + 1, effective_at: announced.effectiveAt },
      routes: { 'GET /tokens/{mint}': { default: 1, rule: '1' }, 'GET /tokens': { default: 8 } },
    });
    await time.advance(NOTICE_DAYS * DAY_MS - 1);
    expect((await table()).tag).toBe(before.tag);
    await time.advance(1);
    const after = await table();
    expect(after.tag).not.toBe(before.tag);
    expect(after.body).toMatchObject({
      cost_version: COST_VERSION + 1,
      routes: {
        'GET /tokens/{mint}': { default: 3, rule: '3' },
        'GET /tokens': { default: 9 },
        'GET /stats': { default: 1 },
      },
    });
    expect(after.body.next).toBeUndefined();
  });

  it.each([
    [`/tokens/${KNOWN_MINT}`, 1, 3],
    ['/tokens?limit=20', 2, 3],
    [`/tokens/${KNOWN_MINT}/pack`, 40, 18],
    ['/stats', 1, 1],
  ])('are what %s is charged from that moment on: first %i, then %i', async (path, before, after) => {
    const time = clock();
    const { charged } = serveAll({ clock: time, announcedPrices: announced });
    expect(await charged(path)).toEqual([before, String(before)]);
    await time.advance(NOTICE_DAYS * DAY_MS - 1);
    expect(await charged(path)).toEqual([before, String(before)]);
    await time.advance(1);
    expect(await charged(path)).toEqual([after, String(after)]);
  });

  it('are refused with less notice than 14 days, of routes that do not exist, or as an older table', () => {
    expect(announcementFaults(announced, ROUTES)).toEqual([]);
    expect(announcementFaults({ ...announced, effectiveAt: '2026-11-14T23:59:59Z' }, ROUTES)).toHaveLength(1);
    expect(announcementFaults({ ...announced, effectiveAt: 'soon' }, ROUTES)).toHaveLength(1);
    expect(announcementFaults({ ...announced, costVersion: COST_VERSION }, ROUTES)).toHaveLength(1);
    expect(announcementFaults({ ...announced, prices: { 'GET /nowhere': flatPrice(1) } }, ROUTES)).toHaveLength(1);
    const late = { ...announced, effectiveAt: '2026-11-02T00:00:00Z' };
    expect(() => createPriceBook({ routes: ROUTES, announced: late, now: () => 0 })).toThrow(/notice/);
  });

  it('of this release, if there are any, are in order', () => {
    const current: AnnouncedPrices | undefined = ANNOUNCED_PRICES;
    expect(current === undefined ? [] : announcementFaults(current, ROUTES)).toEqual([]);
  });
});

/** The whole application, and what its key has paid for a call. */
function serveAll(overrides: Parameters<typeof buildTestApp>[0]) {
  const meter = createMemoryMeter({ credits: 1_000, enforce: false });
  const app = buildTestApp({ meter, ...overrides });
  apps.push(app);
  const get = (path: string) => app.inject({ url: `${BASE_PATH}${path}`, headers: KEY_HEADERS });
  return {
    async table() {
      const { headers, json } = await get('/credits/costs');
      return { tag: headers.etag, body: json() };
    },
    async charged(path: string) {
      const before = meter.remaining(TEST_PRINCIPAL) ?? 0;
      const answer = await get(path);
      return [before - (meter.remaining(TEST_PRINCIPAL) ?? 0), answer.headers['x-credits-cost']];
    },
  };
}

/** One route alone. */
function serve(contract: RouteContract): FastifyInstance {
  const app = buildTestApp();
  apps.push(app);
  const services = {
    gate: testGate(),
    meter: createMemoryMeter({ credits: 1_000, enforce: false }),
    prices: createPriceBook({ routes: [], now: () => 0 }),
    headers: createAnswerHeaders({
      indexedSlot: () => INDEXED_SLOT,
      dataLagMs: () => undefined,
      publicOrigin: undefined,
    }),
    underWay: createAnswersUnderWay(),
  };
  const route = bind(contract, () => Buffer.from('{}'));
  app.register(async (api) => serveRoute(api, route, services), { prefix: '/t' });
  return app;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
