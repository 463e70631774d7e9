import { type TSchema, Type } from 'typebox';
import { ADDRESS_PATTERN, isAddress } from './address.ts';
import type { ErrorCode } from './errors.ts';
import { decodeSwapCursor, type SwapCursor } from './swap-cursor.ts';
import { decodeTickCursor } from './tick-cursor.ts';
import { parseTime } from './time.ts';

/** One path or query parameter: how it is documented, read, and refused. */
export interface Parameter<T> {
  readonly schema: TSchema;
  /** Undefined when the text is not acceptable. */
  readonly parse: (text: string) => T | undefined;
  /** The value when it was not sent. Path parameters are always there. */
  readonly absent: T;
  /** A query without it is refused. */
  readonly required: boolean;
  readonly error: ErrorCode;
  /** Rule for the value, told after the parameter's name: "must be …". */
  readonly expected: string;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** May be sent several times: `parse` sees the values joined by commas. */
  readonly repeats: boolean;
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;
export type Values<P extends Parameters> = { readonly [K in keyof P]: P[K] extends Parameter<infer T> ? T : never };

/** A mint or wallet in the path. */
export function addressParameter(error: ErrorCode, description: string): Parameter<string> {
  return parameter({
    schema: addressSchema(description),
    parse: readAddress,
    absent: '',
    error,
    expected: 'must be a base58 address of 32 bytes',
  });
}

/** An address that may be left out. */
export function optionalAddress(error: ErrorCode, description: string): Parameter<string | undefined> {
  return { ...addressParameter(error, description), absent: undefined };
}

/** Several addresses, one at least: separated by commas, or sent one by one. Each counts once. More than the maximum are refused: the price depends on them. */
export function addressListParameter(max: number, error: ErrorCode, description: string): Parameter<readonly string[]> {
  return parameter({
    schema: Type.Array(Type.String({ pattern: ADDRESS_PATTERN }), { minItems: 1, maxItems: max, description }),
    parse: (text) => {
      const addresses = readAddresses(text);
      return addresses !== undefined && addresses.length <= max ? addresses : undefined;
    },
    absent: [],
    required: true,
    error,
    expected: `must be 1 to ${max} base58 addresses of 32 bytes, separated by commas`,
    details: { max },
    repeats: true,
  });
}

/**
 * The same for a route that has an error of its own for too many of them: it compares with the maximum itself.
 */
export function anyAddressListParameter(
  max: number,
  error: ErrorCode,
  description: string,
): Parameter<readonly string[]> {
  return { ...addressListParameter(max, error, description), parse: readAddresses };
}

/** Rows of a page. More than the maximum is refused, not cut: the price depends on it. */
export function limitParameter(fallback: number, max: number): Parameter<number> {
  return countParameter({ fallback, max, error: 'invalid_limit', description: 'Rows of the page.', digits: 9 });
}

export interface CountParameterOptions {
  readonly fallback: number;
  /** 1 where it is not said. */
  readonly min?: number;
  readonly max: number;
  readonly error: ErrorCode;
  readonly description: string;
  /** Of a longer text nothing is read, leading zeros included; as many as `max` has where it is not said. */
  readonly digits?: number;
}

/** A whole number from `min` to `max`. */
export function countParameter(options: CountParameterOptions): Parameter<number> {
  const { fallback, min = 1, max, error, description, digits = String(max).length } = options;
  return parameter({
    schema: Type.Integer({ minimum: min, maximum: max, default: fallback, description }),
    parse: (text) => {
      if (text.length > digits || !/^\d+$/.test(text)) return undefined;
      const count = Number(text);
      return count >= min && count <= max ? count : undefined;
    },
    absent: fallback,
    error,
    expected: `must be a whole number from ${min} to ${max}`,
    details: min === 1 ? { max } : { min, max },
  });
}

/** One of a few words. */
export function choiceParameter<const W extends string>(
  words: readonly W[],
  fallback: NoInfer<W>,
  error: ErrorCode,
  description: string,
): Parameter<W> {
  return parameter({
    schema: Type.Enum([...words], { type: 'string', default: fallback, description }),
    parse: (text) => words.find((word) => word === text),
    absent: fallback,
    error,
    expected: `must be one of ${words.join(', ')}`,
  });
}

/** A switch: `1` on, `0` off. */
export function flagParameter(description: string): Parameter<boolean> {
  return parameter({
    schema: Type.Enum(['0', '1'], { type: 'string', default: '0', description }),
    parse: (text) => (text === '1' || text === 'true' ? true : text === '0' || text === 'false' ? false : undefined),
    absent: false,
    error: 'invalid_param',
    expected: 'must be 1 or 0',
  });
}

/** A moment, read to Unix milliseconds. */
export function timeParameter(description: string): Parameter<number | undefined> {
  return parameter({
    schema: Type.String({ description }),
    parse: parseTime,
    absent: undefined,
    error: 'invalid_time',
    expected: 'must be RFC 3339 with a zone, Unix seconds (10 digits) or Unix milliseconds (13 digits)',
  });
}

/** Quote currency: '' (or wrapped SOL's mint) for SOL. */
export function quoteParameter(description: string): Parameter<string | undefined> {
  return parameter({
    schema: Type.String({ pattern: `^$|${ADDRESS_PATTERN}`, description }),
    parse: (text) => (text === '' || text === WRAPPED_SOL ? '' : readAddress(text)),
    absent: undefined,
    error: 'invalid_quote',
    expected: 'must be empty for SOL, or a base58 address of 32 bytes',
  });
}

/** Cursor of swap pages, or a time as a boundary. */
export function swapCursorParameter(): Parameter<SwapCursor | undefined> {
  return parameter({
    schema: Type.String({
      description:
        'next_cursor of the previous page. A bare RFC 3339 time is a boundary: desc starts before that second, asc at it.',
    }),
    parse: decodeSwapCursor,
    absent: undefined,
    error: 'invalid_cursor',
    expected: 'must be the next_cursor of a page of this list, or an RFC 3339 time',
  });
}

/** Opaque cursor of tick pages. Handed on as text: the answering side decodes it. */
export function tickCursorParameter(description: string): Parameter<string | undefined> {
  return parameter({
    schema: Type.String({ description }),
    parse: (text) => (decodeTickCursor(text) === undefined ? undefined : text),
    absent: undefined,
    error: 'invalid_cursor',
    expected: 'must be a cursor of a page of this list',
  });
}

type Optional = 'details' | 'required' | 'repeats';

export function parameter<T>(
  definition: Omit<Parameter<T>, Optional> & Partial<Pick<Parameter<T>, Optional>>,
): Parameter<T> {
  return { details: undefined, required: false, repeats: false, ...definition };
}

const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';

function addressSchema(description: string): TSchema {
  return Type.String({ pattern: ADDRESS_PATTERN, description });
}

/** Each address once, in the order in which they came first. */
function readAddresses(text: string): readonly string[] | undefined {
  const addresses = [...new Set(text.split(','))];
  return addresses.every(isAddress) ? addresses : undefined;
}

function readAddress(text: string): string | undefined {
  return isAddress(text) ? text : undefined;
}
