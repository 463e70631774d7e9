import { timeJson } from '../../books/json-text.ts';
import type { Address } from '../../chain/address.ts';
import { knownQuoteDecimals, quotePrice, quoteUnitFields } from '../../token/row-json.ts';
import { pricingSwap, type TokenState } from '../../token/state.ts';
import { priceUsd } from '../../token/value.ts';

/** The token's newest price; undefined while none is known. */
export function priceRowJson(token: TokenState, solUsd: number | undefined): string | undefined {
  const swap = pricingSwap(token);
  const price = swap === undefined ? undefined : quotePrice(swap);
  if (swap === undefined || price === undefined) return undefined;
  const { quote_mint, slot, time, venue, pool } = swap;
  const usd = priceUsd(swap, solUsd);
  return (
    `{"mint":"${token.mint}","price":"${price}"` +
    (quote_mint === '' ? '' : `,"quote_mint":"${quote_mint}"${quoteUnitFields(quote_mint, knownQuoteDecimals(swap))}`) +
    (usd === undefined ? '' : `,"price_usd":"${usd}"`) +
    `,"slot":${slot}` +
    (time === 0 ? '' : `,"time":${timeJson(time)}`) +
    `,"venue":${venue}` +
    (pool === '' ? '}' : `,"pool":"${pool}"}`)
  );
}

/** `{"data":[…],"missing":[…]}`, both in the order of the rows. */
export function pricesBody(rows: readonly { readonly mint: Address; readonly json: string | undefined }[]): Buffer {
  const known = rows.flatMap(({ json }) => json ?? []);
  const missing = rows.filter(({ json }) => json === undefined).map(({ mint }) => `"${mint}"`);
  return Buffer.from(`{"data":[${known.join(',')}],"missing":[${missing.join(',')}]}`);
}
