import { getAddressDecoder, isAddress as isKitAddress } from '@solana/kit';
import fc from 'fast-check';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { isAddress } from './contract/address.ts';
import { ERRORS } from './contract/errors.ts';
import { buildOpenApi } from './contract/openapi.ts';
import { routeErrors, routeName } from './contract/route.ts';
import { ROUTES } from './routes.ts';

describe.each(ROUTES.map((route) => [routeName(route), route] as const))('%s', (_name, route) => {
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

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly responses: Record<string, { description: string }>;
}

/** Query parameters without which there is no question. */
const REQUIRED = new Set(['mints', 'wallets', 'q', 'name', 'metric']);

describe('OpenAPI document', () => {
  const document = JSON.parse(JSON.stringify(buildOpenApi(ROUTES))) as {
    paths: Record<string, Record<string, Operation>>;
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

  it('requires what is in the path, and of the query the lists of mints and wallets, what is looked for and the figure alone', () => {
    for (const { path, method } of ROUTES) {
      for (const { name, in: place, required } of document.paths[path]?.[method.toLowerCase()]?.parameters ?? []) {
        expect([path, name, required]).toEqual([path, name, place === 'path' || REQUIRED.has(name)]);
      }
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
