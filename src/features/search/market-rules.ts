import type { Address } from '../../chain/address.ts';
import { equity, quoteMint } from '../../programs/registry/index.ts';

/** What ranks a token among those that fit a query equally well: greater is first. */
export interface Priced {
  /** '' is SOL. */
  readonly quote_mint: Address | '';
  /** Raw units; both 0 where nothing prices it. */
  readonly price_quote: bigint;
  readonly price_token: bigint;
}

/** Of a token that never traded, and of one that did in a currency that is not compared with SOL. */
const UNTRADED = 0;
const UNCOMPARED = 1;
/** Steps of a doubling, from the least price that is told apart to the greatest. */
const LEAST_PRICE = -64;
const GREATEST_PRICE = 63;
/** Tokenized shares that the registry lists: what copies their names is no share. */
const LISTED = UNCOMPARED + 1 + GREATEST_PRICE - LEAST_PRICE + 1;

/** Raw units of SOL that a raw unit of a dollar coin counts as here: a SOL has 1,000 times as many, and stands for 128 of them. */
const SOL_PER_DOLLAR = 1_000 / 128;

/**
 * A token's rank by market: listed shares, then by newest price in steps of a doubling, then what traded in other
 * currencies, then the rest. Tokens of the launchpad have one supply, so that their price says what they are worth in
 * all. Steps are coarse on purpose: within one the newest comes first, and a trade seldom moves a token.
 */
export function marketRank(mint: Address, hasTraded: boolean, last: Priced | undefined): number {
  if (equity(mint) !== undefined) return LISTED;
  if (!hasTraded) return UNTRADED;
  const price = last === undefined ? undefined : solPrice(last);
  if (price === undefined) return UNCOMPARED;
  const step = Math.min(GREATEST_PRICE, Math.max(LEAST_PRICE, Math.floor(Math.log2(price))));
  return UNCOMPARED + 1 + step - LEAST_PRICE;
}

/** True for a rank that a price made. */
export function isPriced(rank: number): boolean {
  return rank > UNCOMPARED && rank < LISTED;
}

/** Raw SOL per raw token, roughly; undefined where the quote says nothing of it. */
function solPrice({ quote_mint, price_quote, price_token }: Priced): number | undefined {
  if (price_quote <= 0n || price_token <= 0n) return undefined;
  const price = Number(price_quote) / Number(price_token);
  if (quote_mint === '') return price;
  return quoteMint(quote_mint)?.class === 'usd' ? price * SOL_PER_DOLLAR : undefined;
}
