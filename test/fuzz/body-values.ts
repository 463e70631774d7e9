import type { Field, Fields } from '../../src/contract/field.ts';
import type { Random } from '../../src/simulator/random.ts';
import { HOSTILE_TEXTS, mutateText } from './hostile-texts.ts';
import type { SeenTexts } from './parameter-texts.ts';

/** A body as it is sent, and whether it is one that the route's fields take. */
export interface FuzzBody {
  readonly bytes: Buffer;
  readonly contentType: string | undefined;
  readonly isAcceptable: boolean;
}

interface Shape {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly items?: Shape;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

const JSON_TYPE = 'application/json';
const CONTENT_TYPES: readonly string[] = [
  '',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/jsonp',
  'application/json, text/plain',
  'APPLICATION/JSON',
  'application/json;charset="utf-8"',
  '*/*',
  '/',
  'application/xml',
];
const HOSTILE_VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  -0,
  1e308,
  2 ** 53,
  2 ** 63,
  [],
  {},
  [[]],
  [null],
  [{}],
  { length: 1 },
  { $ne: null },
  { toString: 'x' },
  { constructor: { prototype: {} } },
];
/** Deeper than any stack, and wider than any list. */
const BOMB_DEPTH = 60_000;
const BOMB_WIDTH = 20_000;
/** A little more than a body may have. */
const TOO_LARGE_BYTES = 257 * 1024;
const ATTEMPTS = 10;

/** A body for these fields: mostly acceptable, else wrong in one place, or no JSON at all. */
export function fuzzBody(fields: Fields, seen: SeenTexts, random: Random): FuzzBody {
  const value = objectOf(fields, seen, random);
  const isAcceptable = value !== undefined;
  const draft = value ?? {};
  if (random.chance(0.55)) return { bytes: toBytes(draft), contentType: JSON_TYPE, isAcceptable };
  if (random.chance(0.6)) {
    return { bytes: toBytes(spoil(draft, fields, random)), contentType: JSON_TYPE, isAcceptable: false };
  }
  if (random.chance(0.3))
    return {
      bytes: toBytes(draft),
      contentType: random.chance(0.1) ? undefined : random.pick(CONTENT_TYPES),
      isAcceptable: false,
    };
  return { bytes: brokenJson(draft, random), contentType: JSON_TYPE, isAcceptable: false };
}

/** Undefined when no value was found for a field that must be there. */
function objectOf(fields: Fields, seen: SeenTexts, random: Random): Record<string, unknown> | undefined {
  const value: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (!field.required && random.chance(0.4)) continue;
    const found = acceptableValue(name, field, seen, random);
    if (found === undefined && field.required) return undefined;
    if (found !== undefined) value[name] = found;
  }
  return value;
}

function acceptableValue(name: string, field: Field<unknown>, seen: SeenTexts, random: Random): unknown {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const value = valueFor(field.schema as Shape, seen, random);
    try {
      field.read(value, name);
      return value;
    } catch {
      // Another one.
    }
  }
  return undefined;
}

function valueFor(shape: Shape, seen: SeenTexts, random: Random): unknown {
  if (shape.const !== undefined) return shape.const;
  if (shape.enum !== undefined) return random.pick(shape.enum);
  if (shape.anyOf !== undefined) return valueFor(random.pick(shape.anyOf), seen, random);
  const { minimum = 0, maximum = 1_000_000, minItems = 0, maxItems = 50 } = shape;
  switch (shape.type) {
    case 'integer':
    case 'number':
      return random.chance(0.2) ? random.pick([minimum, maximum]) : random.between(minimum, Math.min(maximum, 100_000));
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    case 'array': {
      const most = Math.min(maxItems, random.chance(0.05) ? maxItems : minItems + 5);
      return Array.from({ length: random.between(minItems, most) }, () => valueFor(shape.items ?? {}, seen, random));
    }
    default:
      return textOf(shape, seen, random);
  }
}

function textOf({ maxLength = 64 }: Shape, seen: SeenTexts, random: Random): string {
  const seenTexts = [seen.wallets, seen.ids, seen.mints].filter((list) => list.length > 0);
  switch (random.below(4)) {
    case 0:
      return random.pick([
        'a',
        'Ω',
        '名前',
        'x'.repeat(maxLength),
        "Robert'); DROP TABLE wallet_groups;--",
        '👩‍🚀 moon',
      ]);
    case 1:
      return String(random.between(0, 10_000_000_000));
    default:
      return seenTexts.length === 0 ? 'name' : random.pick(random.pick(seenTexts));
  }
}

/** One field made wrong, taken away or added; names of prototypes among them. */
function spoil(value: Record<string, unknown>, fields: Fields, random: Random): unknown {
  const names = Object.keys(fields);
  const name = names.length === 0 ? '' : random.pick(names);
  const old = value[name];
  switch (random.below(7)) {
    case 0:
      return { ...value, [name]: undefined };
    case 1:
      return { ...value, [name]: random.pick(HOSTILE_VALUES) };
    case 2:
      return { ...value, [name]: random.pick(HOSTILE_TEXTS) };
    case 3:
      return { ...value, [name]: typeof old === 'string' ? mutateText(old, random) : [old] };
    case 4:
      return { ...value, [name]: Array.from({ length: random.between(0, 3_000) }, () => random.pick(HOSTILE_TEXTS)) };
    case 5:
      return {
        ...value,
        [random.pick(['id', 'owner', 'account_id', 'state', 'plan', 'wallet'])]: random.pick(HOSTILE_TEXTS),
      };
    default:
      return random.pick([...HOSTILE_VALUES, [value], 'text']);
  }
}

/** Depth, width, duplicates, names of prototypes, encodings that JSON does not have. */
function brokenJson(value: unknown, random: Random): Buffer {
  const text = JSON.stringify(value);
  switch (random.below(13)) {
    case 0:
      return Buffer.from('['.repeat(BOMB_DEPTH) + ']'.repeat(BOMB_DEPTH));
    case 1:
      return Buffer.from(`${'{"a":'.repeat(BOMB_DEPTH / 2)}1${'}'.repeat(BOMB_DEPTH / 2)}`);
    case 2:
      return Buffer.from(`{${Array.from({ length: BOMB_WIDTH }, (_, i) => `"k${i}":${i}`).join(',')}}`);
    case 3:
      return Buffer.from(`{"__proto__":{"isAdmin":true,"name":"x"},"constructor":{"prototype":{"x":1}}}`);
    case 4:
      return Buffer.from(text.slice(0, random.below(text.length + 1)));
    case 5:
      return Buffer.from(`\ufeff${text}`);
    case 6:
      return Buffer.from(text, 'utf16le');
    case 7:
      return Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xfe, 0x80, 0xc0]), Buffer.from('"}')]);
    case 8:
      return Buffer.from('{"name":"\\ud800","id":"\\u0000","wallet":"\\udfff"}');
    case 9:
      return Buffer.from('{"name":"a","name":"b","budget":1e400,"min_sol":1e400}');
    case 10:
      return Buffer.alloc(TOO_LARGE_BYTES, ' ');
    case 11:
      return Buffer.from(
        random.pick(['', ' ', 'null', '0', '"x"', '[]', 'NaN', "{'a':1}", '{"a":1,}', '//', '{}{}', '\0']),
      );
    default:
      return Buffer.from(random.bytes(random.between(0, 500)));
  }
}

/** Surrogates and all: what JSON.stringify makes of them is what clients send. */
function toBytes(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value) ?? '');
}
