import type { Address } from '../chain/address.ts';
import { quoteMint } from '../programs/registry/index.ts';
import type { LatestSwapRow } from '../queries/token-reads.ts';
import { moneyRatio, ratioPrice } from './price-string.ts';
import { knownQuoteDecimals, UNKNOWN_DECIMALS } from './row-json.ts';

/** Dollars are counted in millionths, as the price of SOL is. */
const MICROS = 1_000_000;
const MICRO_DIGITS = 6;

/** Millionths of a dollar that a whole unit of a quote is worth; undefined while nobody tells. A stablecoin is worth its dollar. */
export function quoteMicros(quote: Address | '', solUsd: number | undefined): bigint | undefined {
  if (quote === '') return solUsd === undefined ? undefined : BigInt(Math.round(solUsd * MICROS));
  return quoteMint(quote)?.class === 'usd' ? BigInt(MICROS) : undefined;
}

/** `price_usd`, `market_cap_usd` and `liquidity_usd`, as far as they are known. `supply` in raw token units. */
export function valueFields(
  swap: LatestSwapRow | undefined,
  supply: bigint | undefined,
  solUsd: number | undefined,
): string {
  if (swap === undefined) return '';
  const micros = quoteMicros(swap.quote_mint, solUsd);
  const quoteDecimals = knownQuoteDecimals(swap);
  if (micros === undefined || quoteDecimals === undefined) return '';
  return priceUsdField(swap, micros, quoteDecimals, supply) + liquidityUsdField(swap, solUsd);
}

function priceUsdField(swap: LatestSwapRow, micros: bigint, quoteDecimals: number, supply: bigint | undefined): string {
  const { price_quote, price_token, token_decimals } = swap;
  if (token_decimals === UNKNOWN_DECIMALS || price_token === 0n) return '';
  const quote = price_quote * micros;
  const price = ratioPrice({
    quote,
    token: price_token,
    quoteDecimals: quoteDecimals + MICRO_DIGITS,
    tokenDecimals: token_decimals,
  });
  const unit = 10n ** BigInt(quoteDecimals + MICRO_DIGITS);
  const cap = supply === undefined ? '' : `,"market_cap_usd":"${moneyRatio(quote * supply, price_token * unit)}"`;
  return `,"price_usd":"${price}"${cap}`;
}

/** Twice the quote that really lies in the market, in dollars; '' while it is not known. */
export function liquidityUsdField(
  market: Pick<LatestSwapRow, 'quote_mint' | 'quote_decimals' | 'real_quote_reserves' | 'reserves_known'>,
  solUsd: number | undefined,
): string {
  const micros = quoteMicros(market.quote_mint, solUsd);
  const decimals = knownQuoteDecimals(market);
  if (!market.reserves_known || micros === undefined || decimals === undefined) return '';
  const unit = 10n ** BigInt(decimals + MICRO_DIGITS);
  return `,"liquidity_usd":"${moneyRatio(2n * market.real_quote_reserves * micros, unit)}"`;
}
