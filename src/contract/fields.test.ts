import fc from 'fast-check';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { ApiError, ERRORS } from './errors.ts';
import type { Field } from './field.ts';
import {
  addressField,
  addressListField,
  booleanField,
  digitsField,
  integerField,
  NAME_MAX,
  nameField,
  nullable,
  optional,
  textField,
  wordsField,
} from './fields.ts';

const WALLET = 'So11111111111111111111111111111111111111112';
const OTHER = '11111111111111111111111111111111';
const KINDS = ['swaps', 'feed'] as const;

const FIELDS: Readonly<Record<string, Field<unknown>>> = {
  text: textField({ description: 'A note.', maximum: 10 }),
  lines: textField({ description: 'A message.', maximum: 10, lines: true }),
  id: textField({ description: 'An id.', maximum: 8, pattern: /^[a-z0-9_-]+$/, error: 'invalid_param' }),
  name: nameField('What it is called.'),
  integer: integerField(1, 100, 'How many.'),
  boolean: booleanField('Whether.'),
  address: addressField('invalid_wallet', 'A wallet.'),
  addresses: addressListField(3, 'invalid_wallet', 'Wallets.'),
  words: wordsField(KINDS, 'unknown_kind', 'Kinds.'),
  digits: digitsField(5n, 2n ** 64n - 1n, 'Lamports.'),
  optional: optional(integerField(1, 100, 'How many.')),
  nullable: optional(nullable(integerField(1, 100, 'How many.'))),
};

describe.each(Object.entries(FIELDS))('%s', (_kind, field) => {
  it('takes or refuses whatever JSON holds, with a code that it declares and the name of the field', () => {
    fc.assert(
      fc.property(fc.oneof(fc.constant(undefined), fc.jsonValue()), (sent) => {
        expect(codeOf(field, sent)).toSatisfy((code) => code === 'taken' || field.errors.includes(code as never));
      }),
    );
  });

  it('takes nothing that its schema refuses, lists that name one twice apart', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.integer({ min: -5, max: 105 }), fc.string()), (sent) => {
        if (typeof sent === 'string' && sent !== sent.trim()) return;
        if (codeOf(field, sent) === 'taken') expect(Value.Errors(field.schema, sent)).toEqual([]);
      }),
    );
  });

  it('is required unless it says otherwise', () => {
    expect(codeOf(field, undefined) === 'taken').toBe(!field.required);
  });
});

describe('text', () => {
  it.each([
    ['text', 'a'.repeat(10), 'taken'],
    ['text', '😀'.repeat(10), 'taken'],
    ['text', '😀'.repeat(11), 'invalid_param'],
    ['text', 'a'.repeat(11), 'invalid_param'],
    ['text', '', 'invalid_param'],
    ['text', 'a\u0000b', 'invalid_param'],
    ['text', 'a\nb', 'invalid_param'],
    ['text', '\ud83d', 'invalid_param'],
    ['lines', 'a\nb\tc', 'taken'],
    ['lines', 'a\u0000b', 'invalid_param'],
    ['lines', '\ud83d', 'invalid_param'],
    ['id', 'g_1-a', 'taken'],
    ['id', 'G', 'invalid_param'],
    ['text', ['a'], 'invalid_param'],
    ['text', null, 'invalid_param'],
  ])('%s %j: %s', (kind, sent, code) => {
    expect(codeOf(FIELDS[kind]!, sent)).toBe(code);
  });
});

describe('a name', () => {
  it.each([
    ['sharks', 'sharks'],
    ['  sharks\u00a0', 'sharks'],
    ['\tsharks\r\n', 'sharks'],
    ['😀'.repeat(NAME_MAX), '😀'.repeat(NAME_MAX)],
  ])('reads %j', (sent, read) => {
    expect(FIELDS.name!.read(sent, 'name')).toBe(read);
  });

  it.each([
    [undefined, 'name_required'],
    [null, 'name_required'],
    ['', 'name_required'],
    [' \t\n ', 'name_required'],
    ['   ', 'name_required'],
    ['a'.repeat(NAME_MAX + 1), 'name_too_long'],
    ['😀'.repeat(NAME_MAX + 1), 'name_too_long'],
    [7, 'invalid_param'],
    ['a\u0007', 'invalid_param'],
    ['a\nb', 'invalid_param'],
    ['\udc00', 'invalid_param'],
  ])('refuses %j as %s', (sent, code) => {
    expect(codeOf(FIELDS.name!, sent)).toBe(code);
  });
});

describe('numbers', () => {
  it.each([
    ['integer', 1, 1],
    ['integer', 100, 100],
    ['digits', '5', 5n],
    ['digits', 3e9, 3_000_000_000n],
    ['digits', '18446744073709551615', 2n ** 64n - 1n],
    ['optional', undefined, undefined],
    ['nullable', null, null],
    ['nullable', undefined, undefined],
  ])('%s reads %j', (kind, sent, read) => {
    expect(FIELDS[kind]!.read(sent, 'n')).toBe(read);
  });

  it.each([
    ['integer', 0],
    ['integer', 101],
    ['integer', 1.5],
    ['integer', '7'],
    ['integer', true],
    ['integer', 2 ** 60],
    ['digits', '4'],
    ['digits', '007'],
    ['digits', '-7'],
    ['digits', '18446744073709551616'],
    ['digits', '1e3'],
    ['digits', 2 ** 60],
    ['digits', [7]],
    ['optional', null],
    ['boolean', 'true'],
    ['boolean', 1],
  ])('%s refuses %j', (kind, sent) => {
    expect(codeOf(FIELDS[kind]!, sent)).toBe('invalid_param');
  });
});

describe('lists', () => {
  it('counts each address once, in the order in which they came', () => {
    expect(FIELDS.addresses!.read([WALLET, OTHER, WALLET, WALLET, WALLET], 'wallets')).toEqual([WALLET, OTHER]);
  });

  it.each([
    [[], 'invalid_wallet'],
    [WALLET, 'invalid_wallet'],
    [{ 0: WALLET, length: 1 }, 'invalid_wallet'],
    [[WALLET, 7], 'invalid_wallet'],
    [[WALLET, [WALLET]], 'invalid_wallet'],
    [['a', 'b', 'c', 'd'], 'too_many_items'],
  ])('refuses the addresses %j as %s', (sent, code) => {
    expect(codeOf(FIELDS.addresses!, sent)).toBe(code);
  });

  it.each([
    [[], 'invalid_param'],
    ['swaps', 'invalid_param'],
    [['swaps', 'gone'], 'unknown_kind'],
    [['swaps', 7], 'unknown_kind'],
    [['constructor'], 'unknown_kind'],
  ])('refuses the words %j as %s', (sent, code) => {
    expect(codeOf(FIELDS.words!, sent)).toBe(code);
  });

  it('reads words in one order, each once', () => {
    expect(FIELDS.words!.read(['feed', 'swaps', 'feed'], 'kinds')).toEqual(KINDS);
  });
});

/** `taken`, or the code of the refusal, which must name the field and be one of the field's own. */
function codeOf(field: Field<unknown>, sent: unknown): string {
  try {
    field.read(sent, 'the_field');
    return 'taken';
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    const { code, param, message } = error as ApiError;
    expect(param).toBe('the_field');
    expect(message).toMatch(/^the_field /);
    expect(ERRORS[code].status).toBeLessThan(500);
    return code;
  }
}
