import { comparePlaces, type Place } from '../books/place.ts';
import type { RowOf } from '../store/clickhouse/schema/table-layout.ts';
import { SWAPS, TOKEN_CREATIONS, type TokenCreationRow } from '../store/clickhouse/schema/tables.ts';
import { columnsOf } from '../store/columns.ts';
import type { LatestSwapRow, PriceHigh, TokenFacts } from './facts.ts';
import { MAX_QUOTES } from './market-reads.ts';
import { inverseOf, placeOf, slotOf } from './packed-place.ts';

const SWAP = columnsOf(
  SWAPS,
  'time',
  'venue',
  'pool',
  'quote_mint',
  'quote_decimals',
  'token_decimals',
  'price_quote',
  'price_token',
  'real_quote_reserves',
  'real_token_reserves',
  'reserves_known',
).columns;

const CREATION = columnsOf(
  TOKEN_CREATIONS,
  'time',
  'signature',
  'partial',
  'creator',
  'fee_creator',
  'name',
  'symbol',
  'uri',
  'bonding_curve',
  'decimals',
  'token_program',
  'quote_mint',
  'mayhem',
  'cashback',
  'holder_reward',
  'creator_fee_bps',
  'curve_depth',
  'virtual_token_reserves',
  'virtual_quote_reserves',
  'real_token_reserves',
  'supply',
).columns;

type Prefixed<P extends string, C> = { [K in keyof C & string as `${P}_${K}`]: C[K] };

function prefixed<P extends string, const C extends object>(prefix: P, columns: C): Prefixed<P, C> {
  return Object.fromEntries(Object.entries(columns).map(([name, type]) => [`${prefix}_${name}`, type])) as Prefixed<
    P,
    C
  >;
}

/** Columns of a card as an answer has them: those of its tuples one after the other. 0 of `at` and `before` is nothing. */
export const CARD_LAYOUT = {
  name: 'token_card',
  columns: {
    mint: 'account',
    priced_in: 'address',
    is_partial: 'bool',
    ...prefixed('newest', { at: 'u64', ...SWAP } as const),
    ...prefixed('priced', { at: 'u64', ...SWAP } as const),
    ...prefixed('high', {
      price: 'f64',
      before: 'u64',
      time: 'time',
      price_quote: 'u64',
      price_token: 'u64',
      quote_decimals: 'u8',
      token_decimals: 'u8',
    } as const),
    ...prefixed('creation', { before: 'u64', ...CREATION } as const),
    ...prefixed('completion', { before: 'u64', time: 'time', bonding_curve: 'address' } as const),
    ...prefixed('graduation', { before: 'u64', time: 'time', pool: 'address' } as const),
    ...prefixed('change', { at: 'u64', time: 'time', creator: 'address' } as const),
  },
} as const;

export type CardRow = RowOf<typeof CARD_LAYOUT>;

/** What a card tells of a token; the rest of its facts are asked for apart. */
export type CardFacts = Pick<
  TokenFacts,
  'creation' | 'completion' | 'graduation' | 'creatorChange' | 'lastSwap' | 'lastPriced'
> & { readonly highs: readonly PriceHigh[] };

const NOTHING: CardFacts = {
  creation: undefined,
  completion: undefined,
  graduation: undefined,
  creatorChange: undefined,
  lastSwap: undefined,
  lastPriced: undefined,
  highs: [],
};

/**
 * Facts of a token at slot `mark` out of its card's rows, none of a token without rows. Undefined when the card is ahead:
 * where the newest of something is past the mark, the one before it is not there any more. What is the earliest of its
 * kind and past the mark is not so yet; a high may be ahead, as it may in the rollup of markets.
 */
export function cardFacts(rows: readonly CardRow[], mark: number): CardFacts | undefined {
  let facts = NOTHING;
  for (const row of rows) {
    if (!row.is_partial && Math.max(slotOf(row.newest_at), slotOf(row.change_at)) > mark) return undefined;
    facts = merge(facts, rowFacts(row, row.is_partial ? Number.POSITIVE_INFINITY : mark));
  }
  return { ...facts, highs: facts.highs.slice(0, MAX_QUOTES) };
}

function merge(a: CardFacts, b: CardFacts): CardFacts {
  return {
    creation: earliest(a.creation, b.creation),
    completion: earliest(a.completion, b.completion),
    graduation: earliest(a.graduation, b.graduation),
    creatorChange: newest(a.creatorChange, b.creatorChange),
    lastSwap: newest(a.lastSwap, b.lastSwap),
    lastPriced: newest(a.lastPriced, b.lastPriced),
    highs: b.highs.reduce(withHigh, a.highs),
  };
}

function rowFacts(row: CardRow, mark: number): CardFacts {
  const seen = (before: bigint) => before > 0n && slotOf(inverseOf(before)) <= mark;
  return {
    creation: seen(row.creation_before) ? creationOf(row) : undefined,
    completion: seen(row.completion_before)
      ? { ...placeOf(inverseOf(row.completion_before)), time: row.completion_time }
      : undefined,
    graduation: seen(row.graduation_before)
      ? { ...placeOf(inverseOf(row.graduation_before)), time: row.graduation_time, pool: row.graduation_pool }
      : undefined,
    creatorChange:
      row.change_at > 0n
        ? { ...placeOf(row.change_at), time: row.change_time, creator: row.change_creator }
        : undefined,
    lastSwap: swapOf(row, 'newest'),
    lastPriced: swapOf(row, 'priced'),
    highs: row.high_price > 0 ? [highOf(row)] : [],
  };
}

function swapOf(row: CardRow, which: 'newest' | 'priced'): LatestSwapRow | undefined {
  const at = row[`${which}_at` as const];
  if (at === 0n) return undefined;
  return {
    ...placeOf(at),
    time: row[`${which}_time` as const],
    venue: row[`${which}_venue` as const],
    pool: row[`${which}_pool` as const],
    quote_mint: row[`${which}_quote_mint` as const],
    quote_decimals: row[`${which}_quote_decimals` as const],
    token_decimals: row[`${which}_token_decimals` as const],
    price_quote: row[`${which}_price_quote` as const],
    price_token: row[`${which}_price_token` as const],
    real_quote_reserves: row[`${which}_real_quote_reserves` as const],
    real_token_reserves: row[`${which}_real_token_reserves` as const],
    reserves_known: row[`${which}_reserves_known` as const],
  };
}

function highOf(row: CardRow): PriceHigh {
  return {
    ...placeOf(inverseOf(row.high_before)),
    time: row.high_time,
    quote_mint: row.priced_in,
    quote_decimals: row.high_quote_decimals,
    token_decimals: row.high_token_decimals,
    price: row.high_price,
    price_quote: row.high_price_quote,
    price_token: row.high_price_token,
  };
}

function creationOf(row: CardRow): TokenCreationRow {
  return {
    mint: row.mint,
    ...placeOf(inverseOf(row.creation_before)),
    time: row.creation_time,
    signature: row.creation_signature,
    partial: row.creation_partial,
    creator: row.creation_creator,
    fee_creator: row.creation_fee_creator,
    name: row.creation_name,
    symbol: row.creation_symbol,
    uri: row.creation_uri,
    bonding_curve: row.creation_bonding_curve,
    decimals: row.creation_decimals,
    token_program: row.creation_token_program,
    quote_mint: row.creation_quote_mint,
    mayhem: row.creation_mayhem,
    cashback: row.creation_cashback,
    holder_reward: row.creation_holder_reward,
    creator_fee_bps: row.creation_creator_fee_bps,
    curve_depth: row.creation_curve_depth,
    virtual_token_reserves: row.creation_virtual_token_reserves,
    virtual_quote_reserves: row.creation_virtual_quote_reserves,
    real_token_reserves: row.creation_real_token_reserves,
    supply: row.creation_supply,
  };
}

/** Of one quote the higher price, of equal ones the earlier. */
function withHigh(highs: readonly PriceHigh[], high: PriceHigh): readonly PriceHigh[] {
  const at = highs.findIndex(({ quote_mint }) => quote_mint === high.quote_mint);
  const known = highs[at];
  if (known === undefined) return [...highs, high];
  const isHigher = high.price > known.price || (high.price === known.price && comparePlaces(high, known) < 0);
  return isHigher ? highs.with(at, high) : highs;
}

function earliest<T extends Place>(a: T | undefined, b: T | undefined): T | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return comparePlaces(a, b) <= 0 ? a : b;
}

function newest<T extends Place>(a: T | undefined, b: T | undefined): T | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return comparePlaces(a, b) >= 0 ? a : b;
}
