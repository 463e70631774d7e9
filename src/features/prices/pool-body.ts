import { jsonBody, knownTime } from '../../books/json-text.ts';
import { comparePlaces, type Place } from '../../books/place.ts';
import type { Address } from '../../chain/address.ts';
import type { Written } from '../../contract/written.ts';
import { AMM, venueByCode } from '../../facts/venue.ts';
import { UNKNOWN_DECIMALS } from '../../store/clickhouse/schema/codes.ts';
import type { MarketRow } from '../../token/facts.ts';
import { compareDepth } from '../../token/markets.ts';
import { quoteOfAmounts, quotePrice } from '../../token/row-json.ts';
import { liquidityUsd, priceUsd } from '../../token/value.ts';
import type { Pool } from './contract.ts';
import { MAX_POOLS, type PoolFacts, type PoolMadeRow } from './pool-reads.ts';

/** A pool as it stands. */
export interface PoolState {
  readonly pool: Address;
  readonly venue: number;
  readonly quote_mint: Address | '';
  readonly quote_decimals: number;
  readonly canonical: boolean;
  readonly inverted: boolean;
  readonly creator: Address | '';
  readonly made: PoolMadeRow | undefined;
  readonly newest: MarketRow | undefined;
  readonly reserves: Reserves | undefined;
}

interface Reserves {
  readonly quote: bigint;
  readonly token: bigint;
  readonly virtualQuote: bigint;
}

/** The pools of a token, deepest first. `canonical` is the pool that it graduated to, '' while that is not known. */
export function poolStates(facts: PoolFacts, canonical: Address | ''): PoolState[] {
  const newest = new Map<Address | '', MarketRow>();
  // Of a pool's rows the first is the newest.
  for (const market of facts.markets) if (!newest.has(market.pool)) newest.set(market.pool, market);
  const made = new Map(facts.made.map((row) => [row.pool, row]));
  const states: PoolState[] = [];
  for (const pool of new Set([...newest.keys(), ...made.keys(), canonical])) {
    const state = pool === '' ? undefined : poolState(facts, pool, made.get(pool), newest.get(pool), canonical);
    if (state !== undefined) states.push(state);
  }
  return states.sort(compareStates).slice(0, MAX_POOLS);
}

function poolState(
  { accounts, liquidity }: PoolFacts,
  pool: Address,
  made: PoolMadeRow | undefined,
  newest: MarketRow | undefined,
  canonical: Address | '',
): PoolState | undefined {
  const account = accounts.find((row) => row.pool === pool);
  const told = made ?? newest ?? account;
  // A canonical pool that nothing else is known of is named by the token itself.
  if (told === undefined) return undefined;
  return {
    pool,
    venue: newest?.venue ?? AMM,
    quote_mint: told.quote_mint,
    quote_decimals: (newest ?? made)?.quote_decimals ?? UNKNOWN_DECIMALS,
    canonical: pool === canonical || made?.canonical === true || account?.canonical === true,
    inverted: made?.inverted ?? account?.inverted ?? newest?.fee_in_token ?? false,
    creator: made?.creator ?? account?.creator ?? '',
    made,
    newest,
    reserves: reservesOf(made, newest, pool, liquidity),
  };
}

/** Reserves of the pool: those its newest swap left, or it was made with, and liquidity put in and taken out since. */
function reservesOf(
  made: PoolMadeRow | undefined,
  newest: MarketRow | undefined,
  pool: Address,
  liquidity: PoolFacts['liquidity'],
): Reserves | undefined {
  const start = newest === undefined ? seedOf(made) : afterSwap(newest);
  const since: Omit<Place, 'time'> | undefined = newest ?? made;
  if (start === undefined || since === undefined) return undefined;
  let { quote, token, virtualQuote } = start;
  for (const change of liquidity) {
    if (change.pool !== pool || comparePlaces(change, since) <= 0) continue;
    const sign = change.is_deposit ? 1n : -1n;
    quote += sign * change.quote_amount;
    virtualQuote += sign * change.quote_amount;
    token += sign * change.token_amount;
  }
  return { quote: atLeastNone(quote), token: atLeastNone(token), virtualQuote: atLeastNone(virtualQuote) };
}

/** A migration may take a part of the quote out again at once, as the pool's boost, which only its first swap tells. */
function seedOf(made: PoolMadeRow | undefined): Reserves | undefined {
  if (made === undefined || made.canonical) return undefined;
  const { quote_amount, token_amount } = made;
  return { quote: quote_amount, token: token_amount, virtualQuote: quote_amount };
}

function afterSwap(swap: MarketRow): Reserves | undefined {
  if (!swap.reserves_known) return undefined;
  const { real_quote_reserves, real_token_reserves, virtual_quote_reserves } = swap;
  return { quote: real_quote_reserves, token: real_token_reserves, virtualQuote: virtual_quote_reserves };
}

/** Liquidity that is looked through only so far back may take out more than it put in. */
function atLeastNone(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}

function compareStates(a: PoolState, b: PoolState): number {
  if (a.reserves === undefined || b.reserves === undefined) {
    if (a.reserves !== b.reserves) return a.reserves === undefined ? 1 : -1;
    return (b.newest?.slot ?? 0) - (a.newest?.slot ?? 0) || (a.pool < b.pool ? -1 : 1);
  }
  return compareDepth({ ...a, real_quote_reserves: a.reserves.quote }, { ...b, real_quote_reserves: b.reserves.quote });
}

export function poolsBody(pools: readonly PoolState[], solUsd: number | undefined): Buffer {
  const data = pools.map((pool) => poolRow(pool, solUsd));
  return jsonBody({ data } satisfies { readonly data: readonly Written<Pool>[] });
}

function poolRow(state: PoolState, solUsd: number | undefined): Written<Pool> {
  const { pool, venue, canonical, inverted, creator, made, newest } = state;
  return {
    pool,
    venue: venueByCode(venue),
    canonical,
    inverted: inverted || undefined,
    ...quoteOfAmounts(state),
    creator: creator || undefined,
    created_at: knownTime(made?.time ?? 0),
    created_slot: made?.slot,
    price: newest && quotePrice(newest),
    price_usd: newest && priceUsd(newest, solUsd),
    ...reserveFields(state, solUsd),
    last_trade_at: knownTime(newest?.time ?? 0),
    last_slot: newest?.slot,
    partial: made?.partial || undefined,
  };
}

function reserveFields(state: PoolState, solUsd: number | undefined): Partial<Written<Pool>> {
  if (state.reserves === undefined) return {};
  const { quote, token, virtualQuote } = state.reserves;
  return {
    quote_reserves: String(quote),
    token_reserves: String(token),
    v_quote_reserves: virtualQuote === quote ? undefined : String(virtualQuote),
    liquidity_usd: liquidityUsd({ ...state, real_quote_reserves: quote, reserves_known: true }, solUsd),
  };
}
