import { Type } from 'typebox';
import { ADDRESS_PATTERN, isAddress } from './address.ts';
import { ApiError, type ErrorCode } from './errors.ts';
import type { Field } from './field.ts';

/** Code points of the longest name. */
export const NAME_MAX = 64;

/**
 * Characters that no text of ours holds: control characters, of which a database refuses
 * one and a terminal obeys others, and halves of surrogate pairs, which are no
 * text. Lines may be broken where a text has several.
 */
const CONTROL = /[\p{Cc}\p{Cs}]/u;
const CONTROL_BUT_LINES = /(?![\t\n\r])[\p{Cc}\p{Cs}]/u;

interface TextOptions {
  readonly description: string;
  /** Code points. 1 when left out. */
  readonly minimum?: number;
  /** Code points. */
  readonly maximum: number;
  /** Pattern that the text must match besides; `expected` is how its refusal says so. */
  readonly pattern?: RegExp;
  readonly expected?: string;
  /** Takes line breaks and tabs. */
  readonly lines?: boolean;
  /** `invalid_param` when left out. */
  readonly error?: ErrorCode;
}

/** Text as it was sent, between two lengths. */
export function textField(options: TextOptions): Field<string> {
  const { description, minimum = 1, maximum, pattern, lines = false, error = 'invalid_param' } = options;
  const expected = options.expected ?? `must be text of ${minimum} to ${maximum} characters`;
  const forbidden = lines ? CONTROL_BUT_LINES : CONTROL;
  return field({
    schema: Type.String({
      minLength: minimum,
      maxLength: maximum,
      description,
      ...(pattern === undefined ? {} : { pattern: pattern.source }),
    }),
    errors: [error],
    read(sent, name) {
      const isText =
        typeof sent === 'string' &&
        // A code point is two units at most: what is longer than that need not be counted.
        sent.length <= 2 * maximum &&
        isBetween(codePoints(sent), minimum, maximum) &&
        !forbidden.test(sent) &&
        (pattern === undefined || pattern.test(sent));
      if (!isText) throw refusal(error, name, expected, { min: minimum, max: maximum });
      return sent;
    },
  });
}

/** The name of something, without the blanks around it. */
export function nameField(description: string): Field<string> {
  return field({
    schema: Type.String({ minLength: 1, maxLength: NAME_MAX, description }),
    errors: ['invalid_param', 'name_required', 'name_too_long'],
    read(sent, name) {
      if (sent === undefined || sent === null) throw refusal('name_required', name, 'is required');
      const trimmed = typeof sent === 'string' ? sent.trim() : undefined;
      if (trimmed === undefined || CONTROL.test(trimmed)) {
        throw refusal('invalid_param', name, 'must be text without control characters');
      }
      if (trimmed === '') throw refusal('name_required', name, 'must not be empty');
      if (trimmed.length > 2 * NAME_MAX || codePoints(trimmed) > NAME_MAX) {
        throw refusal('name_too_long', name, `has at most ${NAME_MAX} characters`, { max: NAME_MAX });
      }
      return trimmed;
    },
  });
}

/** A whole number that JSON carries exactly. */
export function integerField(minimum: number, maximum: number, description: string): Field<number> {
  return field({
    schema: Type.Integer({ minimum, maximum, description }),
    errors: ['invalid_param'],
    read(sent, name) {
      if (Number.isSafeInteger(sent) && isBetween(sent as number, minimum, maximum)) return sent as number;
      const bounds = { min: minimum, max: maximum };
      throw refusal('invalid_param', name, `must be a whole number from ${minimum} to ${maximum}`, bounds);
    },
  });
}

export function booleanField(description: string): Field<boolean> {
  return field({
    schema: Type.Boolean({ description }),
    errors: ['invalid_param'],
    read(sent, name) {
      if (typeof sent !== 'boolean') throw refusal('invalid_param', name, 'must be true or false');
      return sent;
    },
  });
}

/** A mint or wallet. */
export function addressField(error: ErrorCode, description: string): Field<string> {
  return field({
    schema: Type.String({ pattern: ADDRESS_PATTERN, description }),
    errors: [error],
    read(sent, name) {
      if (typeof sent !== 'string' || !isAddress(sent)) {
        throw refusal(error, name, 'must be a base58 address of 32 bytes');
      }
      return sent;
    },
  });
}

/** Several addresses, each counted once, in the order in which they came. More than the maximum are refused as `tooMany`. */
export function addressListField(
  max: number,
  error: ErrorCode,
  description: string,
  tooMany: ErrorCode = 'too_many_items',
): Field<readonly string[]> {
  return field({
    schema: Type.Array(Type.String({ pattern: ADDRESS_PATTERN }), { minItems: 1, maxItems: max, description }),
    errors: [error, tooMany],
    read(sent, name) {
      const isList = Array.isArray(sent) && sent.length > 0;
      if (!isList) throw refusal(error, name, 'must be a list of base58 addresses of 32 bytes');
      const addresses = new Set<unknown>(sent);
      if (addresses.size > max) throw refusal(tooMany, name, `holds at most ${max}`, { max });
      return [...addresses].map((each) => {
        if (typeof each === 'string' && isAddress(each)) return each;
        throw refusal(error, name, 'must hold base58 addresses of 32 bytes only');
      });
    },
  });
}

/** Some of a few words, one at least, in the order of the words. */
export function wordsField<const W extends string>(
  words: readonly W[],
  unknown: ErrorCode,
  description: string,
): Field<readonly W[]> {
  const known = new Set<unknown>(words);
  const expected = `must be a list of ${words.join(', ')}`;
  return field({
    schema: Type.Array(Type.Enum([...words], { type: 'string' }), { minItems: 1, description }),
    errors: ['invalid_param', unknown],
    read(sent, name) {
      if (!Array.isArray(sent) || sent.length === 0) throw refusal('invalid_param', name, expected);
      if (!sent.every((each) => known.has(each))) throw refusal(unknown, name, expected, { known: [...words] });
      return words.filter((word) => sent.includes(word));
    },
  });
}

/** A large integer: a string of digits, as answers write it, or a whole number. */
export function digitsField(minimum: bigint, maximum: bigint, description: string): Field<bigint> {
  const bounds = { min: String(minimum), max: String(maximum) };
  return field({
    schema: Type.Union([Type.String({ pattern: DIGITS.source }), Type.Integer({ minimum: 0 })], { description }),
    errors: ['invalid_param'],
    read(sent, name) {
      const isDigits = Number.isSafeInteger(sent) || (typeof sent === 'string' && DIGITS.test(sent));
      const value = isDigits ? BigInt(sent as string | number) : -1n;
      if (isDigits && value >= minimum && value <= maximum) return value;
      throw refusal('invalid_param', name, `must be digits, from ${minimum} to ${maximum}`, bounds);
    },
  });
}

/** The same, or undefined when it is left out. */
export function optional<T>(inner: Field<T>): Field<T | undefined> {
  return {
    ...inner,
    required: false,
    read: (sent, name) => (sent === undefined ? undefined : inner.read(sent, name)),
  };
}

/** The same, or null. */
export function nullable<T>(inner: Field<T>): Field<T | null> {
  return {
    ...inner,
    schema: Type.Union([inner.schema, Type.Null()]),
    read: (sent, name) => (sent === null ? null : inner.read(sent, name)),
  };
}

/** Canonical, and no longer than the longest 64-bit number. */
const DIGITS = /^(0|[1-9]\d{0,19})$/;

function field<T>(definition: Omit<Field<T>, 'required'>): Field<T> {
  return { required: true, ...definition };
}

function refusal(code: ErrorCode, param: string, expected: string, details?: Readonly<Record<string, unknown>>) {
  return new ApiError(code, { param, message: `${param} ${expected}`, ...(details === undefined ? {} : { details }) });
}

function isBetween(value: number, minimum: number, maximum: number): boolean {
  return value >= minimum && value <= maximum;
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
