import { jsonBody, knownTime } from '../../books/json-text.ts';
import type { Address } from '../../chain/address.ts';
import type { Written } from '../../contract/written.ts';
import { venueByCode } from '../../facts/venue.ts';
import { quoteOfAmounts, quotePrice } from '../../token/row-json.ts';
import { pricingSwap, type TokenState } from '../../token/state.ts';
import { priceUsd } from '../../token/value.ts';
import type { TokenPrice, TokenPrices } from './contract.ts';

/** Newest prices of the tokens that are known, and of which mints none is known, both in the order of the mints. */
export function pricesBody(tokens: ReadonlyMap<Address, TokenState | undefined>, solUsd: number | undefined): Buffer {
  const rows = [...tokens].map(([mint, token]) => ({ mint, row: token && priceRow(token, solUsd) }));
  return jsonBody({
    data: rows.flatMap(({ row }) => row ?? []),
    missing: rows.filter(({ row }) => row === undefined).map(({ mint }) => mint),
  } satisfies Written<TokenPrices>);
}

/** Undefined while no price is known. */
function priceRow(token: TokenState, solUsd: number | undefined): Written<TokenPrice> | undefined {
  const swap = pricingSwap(token);
  const price = swap && quotePrice(swap);
  if (swap === undefined || price === undefined) return undefined;
  return {
    mint: token.mint,
    price,
    ...quoteOfAmounts(swap),
    price_usd: priceUsd(swap, solUsd),
    slot: swap.slot,
    time: knownTime(swap.time),
    venue: venueByCode(swap.venue),
    pool: swap.pool || undefined,
  };
}
