import { type Static, type TSchema, Type } from 'typebox';
import { ADDRESS_PATTERN } from './address.ts';

/** The scalar vocabulary of answers. Large integers are strings, so that no client loses digits. */

export const Address = (description: string) => Type.String({ pattern: ADDRESS_PATTERN, description });
export const Digits = (description: string) => Type.String({ pattern: '^\\d+$', description });
export const SignedDigits = (description: string) => Type.String({ pattern: '^-?\\d+$', description });
/** Plain decimal: no exponent, at most 18 fractional digits. */
export const Decimal = (description: string) => Type.String({ pattern: '^-?\\d+(\\.\\d{1,18})?$', description });
export const Timestamp = (description: string) => Type.String({ format: 'date-time', description });
export const Count = (description: string) => Type.Integer({ minimum: 0, description });
export const Text = (description: string) => Type.String({ description });
/** Sent only when true. */
export const Mark = (description: string) => Type.Literal(true, { description });

export const Slot = Count('Leader slot.');
export const BlockIndex = Count("Transaction's index in its block; provisional on rows marked partial.");
export const IxIndex = Count("Pre-order index in the transaction's flattened call tree.");
export const Venue = Type.Union([Type.Literal(0), Type.Literal(1), Type.Literal(2)], {
  description: '0 = bonding curve, 1 = AMM pool, 2 = tokenized equity.',
});
export const QuoteMint = Address('The non-SOL quote.');
export const QuoteSymbol = Text('Symbol of the quote.');
export const QuoteDecimals = Type.Integer({
  minimum: 0,
  maximum: 254,
  description: 'Decimals of the quote; absent while unknown.',
});
export const Partial = Mark('Known from a transaction without its whole block; replaced when the block comes.');

/** `{data: […]}`. */
export function List<T extends TSchema>(row: T) {
  return Type.Object({ data: Type.Array(row) });
}

export const SinceTime = Type.Optional(
  Timestamp('All of it is there from this time on; absent when that is all that was asked for.'),
);

/** `{data: […], since}` of rows that are known from a moment on alone. */
export function ListSince<T extends TSchema>(row: T) {
  return Type.Object({ data: Type.Array(row), since: SinceTime });
}

/** `{data: […], next_cursor}`; the last page has no cursor. */
export function Page<T extends TSchema>(row: T) {
  return Type.Object({
    data: Type.Array(row),
    next_cursor: Type.Optional(Text('Pass it as `cursor` for the next page; absent on the last one.')),
  });
}

/** Answer of a call that did its work and has nothing else to say. */
export const Done = Type.Object({ ok: Type.Literal(true) });
export type Done = Static<typeof Done>;
