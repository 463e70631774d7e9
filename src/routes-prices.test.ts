import { describe, expect, it } from 'vitest';
import { evaluateRule } from '../test/support/price-rule.ts';
import { buildCostTable } from './contract/cost-table.ts';
import type { Parameter } from './contract/parameter.ts';
import { chargedCredits } from './contract/price.ts';
import { absentValues, defaultPrice, type RouteContract, routeName } from './contract/route.ts';
import { ROUTES } from './routes.ts';

const ADDRESS = 'So11111111111111111111111111111111111111112';
/** Other addresses, as many as a list may ask for. */
const ADDRESSES = Array.from({ length: 120 }, (_, i) => `${ADDRESS.slice(0, -2)}${ALPHABET(i)}`);

function ALPHABET(i: number): string {
  const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  return `${digits[Math.floor(i / digits.length) + 1]}${digits[i % digits.length]}`;
}

const NUMBERS = [1, 2, 10, 11, 12, 19, 20, 21, 29, 30, 31, 50, 60, 61, 70, 71, 90, 91, 100, 101, 150, 200, 300, 500];
const LARGE_NUMBERS = [501, 600, 601, 1000, 1500, 2000, 2001, 3500, 3501, 5000];
const WORDS = [
  '0',
  '1',
  'desc',
  'asc',
  '1m',
  '4h',
  '1h',
  '6h',
  '24h',
  '168h',
  '7d',
  'in',
  'out',
  'newest',
  'last_trade',
];
const LISTS = [1, 2, 4, 5, 6, 24, 25, 26, 49, 50, 51, 75, 76, 100].map((size) => ADDRESSES.slice(0, size).join(','));
const TEXTS = [...[...NUMBERS, ...LARGE_NUMBERS].map(String), ...WORDS, ...LISTS, ADDRESS, '2026-08-01T10:00:00Z'];

/** The cost table as it was agreed on: a route, what is asked of it, credits. */
const AGREED: readonly (readonly [string, string, number])[] = [
  ['GET /cross', `mints=${ADDRESSES[0]}&wallets=${ADDRESSES[1]}`, 5],
  ['GET /cross', `mints=${LISTS[0]}&wallets=${LISTS[0]}`, 5],
  ['GET /trending-names', '', 1],
  ['GET /trending-names', 'limit=200', 1],
  ['GET /tweet-tokens', '', 1],
  ['GET /tweet-tokens', 'limit=200', 1],
  ['GET /launchpad-24h', '', 1],
  ['GET /tips/by-provider', '', 1],
  ['GET /tips/by-provider', 'window=24h', 1],
  ['GET /events', '', 2],
  ['GET /events', 'limit=200', 2],
  ['GET /tokens', '', 8],
  ['GET /tokens', 'limit=20', 2],
  ['GET /tokens', 'limit=500', 32],
  ['GET /tokens/graduating', '', 2],
  ['GET /tokens/graduating', 'limit=200', 2],
  ['GET /tokens/trending', '', 1],
  ['GET /ecosystem', '', 1],
  ['GET /ecosystem', 'window=7d', 1],
  ['GET /ecosystem/history', 'metric=volume', 3],
  ['GET /ecosystem/history', 'metric=fees_1h&step=1d', 3],
  ['GET /routers', '', 2],
  ['GET /routers', 'window=7d&venue=1', 2],
  ['GET /tip-market', '', 2],
  ['GET /tip-market', 'window=24h&provider=Jito', 2],
  ['GET /landing-conditions', '', 5],
  ['GET /landing-conditions', 'window=24h&venue=1', 5],
  ['GET /leaders', '', 1],
  ['GET /leaders', 'past=400&future=1600', 1],
  ['GET /leaders/distribution', '', 1],
  ['GET /leaders/distribution', 'by=client', 1],
  ['GET /equities', '', 1],
  ['GET /equities/{mint}', '', 1],
  ['GET /tokens/trending', 'window=168h&limit=200', 1],
  ['GET /tokens/batch', `mints=${LISTS[0]}`, 1],
  ['GET /tokens/batch', `mints=${ADDRESSES.slice(0, 5).join(',')}`, 1],
  ['GET /tokens/batch', `mints=${ADDRESSES.slice(0, 6).join(',')}`, 2],
  ['GET /tokens/batch', `mints=${ADDRESSES.slice(0, 50).join(',')}`, 10],
  ['GET /search', '', 10],
  ['GET /search', 'limit=50', 10],
  ['GET /search/suggest', '', 2],
  ['GET /tokens-by-name', '', 25],
  ['GET /tokens-by-name', 'limit=500', 25],
  ['GET /tokens/{mint}', '', 1],
  ['GET /tokens/{mint}/meta', '', 1],
  ['GET /tokens/{mint}/image', '', 1],
  ['GET /tokens/{mint}/swaps', '', 8],
  ['GET /tokens/{mint}/swaps', 'limit=20', 2],
  ['GET /tokens/{mint}/swaps', 'limit=21', 5],
  ['GET /tokens/{mint}/swaps', 'failed=1', 10],
  ['GET /tokens/{mint}/swaps', 'transfers=1', 10],
  ['GET /tokens/{mint}/swaps', 'limit=500&failed=1&transfers=1', 36],
  ['GET /tokens/{mint}/candles', '', 3],
  ['GET /tokens/{mint}/candles', 'limit=100', 2],
  ['GET /tokens/{mint}/candles', 'limit=600', 3],
  ['GET /tokens/{mint}/candles', 'limit=601', 4],
  ['GET /tokens/{mint}/candles', 'limit=1500', 5],
  ['GET /tokens/{mint}/ticks', '', 4],
  ['GET /tokens/{mint}/ticks', 'limit=500', 2],
  ['GET /tokens/{mint}/ticks', 'limit=5000', 8],
  ['GET /tokens/{mint}/activity', '', 2],
  ['GET /tokens/{mint}/holders', '', 5],
  ['GET /tokens/{mint}/holders', 'limit=500', 32],
  ['GET /tokens/{mint}/holders/history', '', 3],
  ['GET /tokens/{mint}/holder-stats', '', 1],
  ['GET /tokens/{mint}/counters', '', 1],
  ['GET /tokens/{mint}/intelligence', '', 8],
  ['GET /tokens/{mint}/launch', '', 8],
  ['GET /tokens/{mint}/launch', 'limit=500', 8],
  ['GET /tokens/{mint}/launch-race', '', 10],
  ['GET /tokens/{mint}/launch-race', 'slots=1', 10],
  ['GET /tokens/{mint}/launch-race', 'slots=31', 12],
  ['GET /tokens/{mint}/launch-race', 'slots=150', 18],
  ['GET /tokens/{mint}/first-buyers', 'limit=20', 2],
  ['GET /tokens/{mint}/first-buyers', 'limit=50', 5],
  ['GET /tokens/{mint}/traders', 'limit=20', 2],
  ['GET /tokens/{mint}/traders', 'limit=50', 5],
  ['GET /tokens/{mint}/pools', '', 1],
  ['GET /tokens/{mint}/creator-fees', '', 2],
  ['GET /mempool-buyers', '', 10],
  ['GET /mempool-buyers', 'days=2', 11],
  ['GET /mempool-buyers', 'days=11', 11],
  ['GET /mempool-buyers', 'days=60', 16],
  ['GET /tokens/{mint}/funding-clusters', '', 10],
  ['GET /tokens/{mint}/transfers', '', 5],
  ['GET /tokens/{mint}/transfers', 'limit=500', 32],
  ['GET /wallets/{trader}/token-transfers', '', 5],
  ['GET /wallets/{trader}/token-transfers', 'limit=500', 32],
  ['GET /tokens/{mint}/sends', '', 8],
  ['GET /tokens/{mint}/sends', 'w=1h', 5],
  ['GET /tokens/{mint}/sends', 'w=24h', 8],
  ['GET /tokens/{mint}/sends', 'w=7d', 12],
  ['GET /tokens/{mint}/pack', '', 40],
  ['GET /tokens/{mint}/pack', 'parts=token', 5],
  ['GET /tokens/{mint}/pack', 'parts=token,swaps', 9],
  ['GET /prices', `mints=${LISTS[0]}`, 1],
  ['GET /prices', `mints=${ADDRESSES.slice(0, 25).join(',')}`, 1],
  ['GET /prices', `mints=${ADDRESSES.slice(0, 26).join(',')}`, 2],
  ['GET /prices', `mints=${ADDRESSES.slice(0, 100).join(',')}`, 4],
  ['GET /stats', '', 1],
  ['GET /sol-price/history', '', 1],
  ['GET /sol-price/history', 'step=1d&from=1785578400', 1],
];

const table = buildCostTable(ROUTES).routes;

describe.each(ROUTES.map((route) => [routeName(route), route] as const))('the price of %s', (name, route) => {
  const priced = route.pricedByParts ? ['parts'] : route.pricedBy;

  it('is what its printed rule gives, whatever is asked', () => {
    for (const texts of combinations(priced.map((each) => valuesOf(route, each)))) {
      const query = queryOf(route, Object.fromEntries(texts.map((text, i) => [priced[i], text])));
      expect([texts, route.price.compute(query)]).toEqual([texts, evaluateRule(route.price.rule, named(route, query))]);
    }
  });

  it('depends on no parameter that it does not name', () => {
    for (const other of Object.keys(route.query).filter((each) => !priced.includes(each))) {
      for (const text of valuesOf(route, other)) {
        expect([other, text, route.price.compute(queryOf(route, { [other]: text }))]).toEqual([
          other,
          text,
          defaultPrice(route),
        ]);
      }
    }
  });

  it('is printed with the default and the maximum of everything that it depends on', () => {
    const { params } = table[name]!;
    expect(params.map((each) => each.name)).toEqual(route.pricedBy);
    for (const { name: parameter, default: fallback, max } of params) {
      const { absent, parse } = route.query[parameter]!;
      if (fallback !== undefined) expect(parse(String(fallback))).toEqual(absent);
      else expect(absent ?? []).toEqual([]);
      if (typeof max !== 'number') continue;
      expect(valuesOf(route, parameter).map(countOf(route, parameter))).not.toContain(max + 1);
      expect(valuesOf(route, parameter).map(countOf(route, parameter))).toContain(max);
    }
  });

  it('was agreed on', () => {
    // Routes over an account or a wallet, and those open to anybody, are free, whatever is asked of them.
    const agreed = route.access === 'key' ? AGREED.filter(([each]) => each === name) : [[name, '', 0] as const];
    expect(agreed).not.toEqual([]);
    for (const [, asked, credits] of agreed) {
      const price = route.price.compute(queryOf(route, Object.fromEntries(new URLSearchParams(asked))));
      expect([asked.slice(0, 40), price]).toEqual([asked.slice(0, 40), credits]);
    }
    const whole = agreed.find(([, asked]) => asked === '');
    expect(table[name]?.default).toBe(whole?.[2] ?? defaultPrice(route));
    expect(table[name]?.rule).toBe(route.price.rule);
  });
});

describe('a pack', () => {
  const PARTS = ['', '/activity', '/swaps', '/candles', '/holders', '/counters', '/intelligence', '/launch'];

  it('is cheaper than its nine parts one by one, which cost 46', () => {
    const parts = [...PARTS, '/funding-clusters'].map((path) => table[`GET /tokens/{mint}${path}`]?.default ?? 0);
    expect(parts.reduce((sum, each) => sum + each, 0)).toBe(46);
    expect(table['GET /tokens/{mint}/pack']?.default).toBe(40);
  });

  it('is the only one that says it is settled by its parts', () => {
    expect(Object.keys(table).filter((name) => table[name]?.pack)).toEqual(['GET /tokens/{mint}/pack']);
    expect(table['GET /tokens/{mint}/pack']).toEqual({ default: 40, rule: 'ceil(40*ok/9)', pack: true, params: [] });
  });
});

describe('what is charged', () => {
  it.each([
    [200, 8, 8],
    [302, 8, 8],
    [304, 8, 1],
    [304, 0, 0],
    [404, 8, 1],
    [404, 0, 0],
    [400, 8, 0],
    [401, 8, 0],
    [402, 8, 0],
    [403, 8, 0],
    [405, 8, 0],
    [422, 8, 0],
    [429, 8, 0],
    [500, 8, 0],
    [503, 8, 0],
    [504, 8, 0],
  ])('with status %i of a price of %i is %i', (status, price, charged) => {
    expect(chargedCredits(status, price)).toBe(charged);
  });
});

/** Texts that a parameter takes, '' for none, with both ends of its range. */
function valuesOf(route: RouteContract, name: string): string[] {
  const { parse, schema } = route.query[name] as Parameter<unknown>;
  const { maximum, enum: words = [] } = schema as { readonly maximum?: number; readonly enum?: readonly string[] };
  const ends = maximum === undefined ? [] : [String(maximum), String(maximum + 1)];
  const parts = name === 'parts' ? ['token', 'token,swaps', 'holders,token,swaps', 'swaps,swaps'] : [];
  const texts = new Set([...TEXTS, ...words, ...ends, ...parts].filter((text) => parse(text) !== undefined));
  return ['', ...texts];
}

function queryOf(route: RouteContract, texts: Readonly<Record<string, string>>): Record<string, unknown> {
  const query = absentValues(route.query);
  for (const [name, text] of Object.entries(texts)) {
    const { parse } = route.query[name] as Parameter<unknown>;
    if (text !== '') query[name] = parse(text);
  }
  return query;
}

/** The query as rules speak of it: lists by their length, switches as 0 and 1, the limit as L. */
function named(route: RouteContract, query: Readonly<Record<string, unknown>>): Record<string, number | string> {
  const entries = Object.entries(query).map(([name, value]) => [name === 'limit' ? 'L' : name, figure(value)] as const);
  return { ...Object.fromEntries(entries), ...(route.pricedByParts ? { ok: figure(query.parts) } : {}) };
}

function figure(value: unknown): number | string {
  if (Array.isArray(value)) return value.length;
  if (value === undefined) return 0;
  return typeof value === 'number' || typeof value === 'boolean' ? Number(value) : String(value);
}

function countOf(route: RouteContract, name: string): (text: string) => number | string {
  return (text) => figure(queryOf(route, { [name]: text })[name]);
}

function combinations(lists: readonly (readonly string[])[]): string[][] {
  return lists.reduce<string[][]>((all, list) => all.flatMap((each) => list.map((text) => [...each, text])), [[]]);
}
