import { getAddressDecoder, isAddress as isKitAddress } from '@solana/kit';
import fc from 'fast-check';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { isAddress } from './address.ts';
import { buildCostTable } from './cost-table.ts';
import { ERRORS } from './errors.ts';
import { buildOpenApi } from './openapi.ts';
import { chargedCredits } from './price.ts';
import { absentValues, defaultPrice, type RouteContract, routeErrors, routeName } from './route.ts';
import { ROUTES } from './routes.ts';

describe.each(ROUTES.map((route) => [routeName(route), route] as const))('%s', (_name, route) => {
  it('costs by its printed rule, whatever the limit', () => {
    const limit = route.query.limit;
    const max = limit === undefined ? 1 : Number(limit.details?.max);
    fc.assert(
      fc.property(fc.integer({ min: 1, max }), (value) => {
        const query = { ...absentValues(route.query), ...(limit === undefined ? {} : { limit: value }) };
        expect(route.price.compute(query)).toBe(evaluate(route.price.rule, value));
      }),
    );
  });

  it('documents every answer with examples that its schema accepts', () => {
    expect(Object.keys(route.examples)).not.toEqual([]);
    for (const [name, example] of Object.entries(route.examples)) {
      expect([name, ...Value.Errors(route.response, example)]).toEqual([name]);
      expect(Value.Clean(route.response, structuredClone(example)), name).toEqual(example);
    }
  });

  it('refuses in the schema of a parameter what it refuses when it reads it', () => {
    for (const [name, { schema, parse, absent }] of Object.entries({ ...route.params, ...route.query })) {
      for (const text of SAMPLES) {
        const documented = Value.Check(schema, Value.Convert(schema, text));
        if (!documented) expect([name, text, parse(text)]).toEqual([name, text, undefined]);
      }
      const { default: fallback } = schema as { default?: unknown };
      if (fallback !== undefined) expect(parse(String(fallback)), name).toEqual(absent);
    }
  });
});

const SAMPLES = [
  '',
  '0',
  '1',
  '2',
  '-1',
  '1.5',
  'abc',
  '100000',
  'desc',
  '1m',
  'So11111111111111111111111111111111111111112',
];

/** The rule as a client would work it out. */
function evaluate(rule: string, limit: number): number {
  const [base = ''] = rule.split(', +');
  const calculate = new Function('L', 'ceil', 'max', `return ${base}`);
  return calculate(limit, Math.ceil, Math.max) as number;
}

describe('prices', () => {
  it.each([
    ['GET /tokens', 8],
    ['GET /tokens/{mint}', 1],
    ['GET /tokens/{mint}/swaps', 8],
    ['GET /tokens/{mint}/candles', 3],
    ['GET /tokens/{mint}/ticks', 4],
    ['GET /tokens/{mint}/activity', 2],
    ['GET /tokens/{mint}/holders', 5],
    ['GET /health', 0],
    ['GET /stats', 1],
    ['GET /credits/costs', 0],
  ])('%s costs %i by default', (name, credits) => {
    expect(defaultPrice(find(name))).toBe(credits);
    expect(buildCostTable(ROUTES).routes[name]?.default).toBe(credits);
  });

  it('adds two for reverted attempts and two for sends', () => {
    const swaps = find('GET /tokens/{mint}/swaps');
    const query = absentValues(swaps.query);
    expect(swaps.price.compute({ ...query, failed: true })).toBe(10);
    expect(swaps.price.compute({ ...query, failed: true, transfers: true })).toBe(12);
  });

  it('names the parameters a price depends on, with default and maximum', () => {
    expect(buildCostTable(ROUTES).routes['GET /tokens/{mint}/ticks']?.params).toEqual([
      { name: 'limit', default: 2000, max: 5000 },
    ]);
    expect(buildCostTable(ROUTES).routes['GET /tokens/{mint}/swaps']?.params).toEqual([
      { name: 'limit', default: 100, max: 500 },
      { name: 'failed', default: 0, max: 1 },
      { name: 'transfers', default: 0, max: 1 },
    ]);
  });

  it.each([
    [200, 8, 8],
    [302, 8, 8],
    [304, 8, 1],
    [404, 8, 1],
    [404, 0, 0],
    [400, 8, 0],
    [402, 8, 0],
    [429, 8, 0],
    [500, 8, 0],
    [504, 8, 0],
  ])('an answer with status %i of a call priced %i is charged %i', (status, price, charged) => {
    expect(chargedCredits(status, price)).toBe(charged);
  });
});

describe('OpenAPI document', () => {
  const document = JSON.parse(JSON.stringify(buildOpenApi(ROUTES))) as {
    paths: Record<string, Record<string, { responses: Record<string, { description: string }> }>>;
    components: { schemas: Record<string, unknown> };
  };

  it('has every route with every status it can answer with', () => {
    for (const route of ROUTES) {
      const operation = document.paths[route.path]?.[route.method.toLowerCase()];
      const statuses = new Set(routeErrors(route).map((code) => String(ERRORS[code].status)));
      const success = route.redirects ? '302' : '200';
      expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining([success, ...statuses]));
    }
  });

  it('refers only to components that exist', () => {
    const text = JSON.stringify(document);
    for (const [, name] of text.matchAll(/#\/components\/schemas\/(\w+)/g)) {
      expect(document.components.schemas).toHaveProperty(String(name));
    }
    expect(text).not.toContain('"$id"');
  });
});

describe('address', () => {
  it('accepts the base58 of any 32 bytes, leading zeros included', () => {
    const bytes = fc.tuple(fc.nat(32), fc.uint8Array({ minLength: 32, maxLength: 32 }));
    fc.assert(
      fc.property(bytes, ([zeros, tail]) => {
        const value = Uint8Array.from(tail, (byte, i) => (i < zeros ? 0 : byte));
        expect(isAddress(getAddressDecoder().decode(value))).toBe(true);
      }),
    );
  });

  it('agrees with the library of the chain on any text that looks like one', () => {
    const digit = fc.constantFrom(...'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz');
    fc.assert(
      fc.property(fc.string({ unit: digit, minLength: 30, maxLength: 46 }), (text) => {
        expect(isAddress(text)).toBe(isKitAddress(text));
      }),
    );
  });

  it.each(['', '0'.repeat(44), 'é'.repeat(40), `${'1'.repeat(31)}O`, '1'.repeat(33)])('refuses %j', (text) => {
    expect(isAddress(text)).toBe(false);
  });
});

function find(name: string): RouteContract {
  const route = ROUTES.find((candidate) => routeName(candidate) === name);
  if (route === undefined) throw new Error(`no route ${name}`);
  return route;
}
