import type { Address } from '../chain/address.ts';
import { quoteMint } from '../programs/registry/index.ts';
import { UNKNOWN_DECIMALS } from '../store/clickhouse/schema/codes.ts';
import type { LatestSwapRow } from './facts.ts';
import { moneyRatio, ratioPrice } from './price-string.ts';
import { knownQuoteDecimals } from './row-json.ts';

/** Dollars are counted in millionths, as the price of SOL is. */
const MICROS = 1_000_000;
const MICRO_DIGITS = 6;
const LAMPORTS = 1_000_000_000n;

/** Millionths of a dollar that a whole unit of a quote is worth; undefined while nobody tells. A stablecoin is worth its dollar. */
export function quoteMicros(quote: Address | '', solUsd: number | undefined): bigint | undefined {
  if (quote === '') return solUsd === undefined ? undefined : BigInt(Math.round(solUsd * MICROS));
  return quoteMint(quote)?.class === 'usd' ? BigInt(MICROS) : undefined;
}

/**
 * Lamports that an amount in raw units of a quote is worth, rounded down: SOL is itself, a stablecoin by the price of SOL.
 * Undefined for any other quote: what strangers trade it for among themselves is no price.
 */
export function quoteLamports(amount: bigint, quote: Address | '', solUsd: number | undefined): bigint | undefined {
  if (quote === '') return amount;
  const [micros, solMicros, decimals] = [
    quoteMicros(quote, solUsd),
    quoteMicros('', solUsd),
    quoteMint(quote)?.decimals,
  ];
  if (micros === undefined || solMicros === undefined || solMicros === 0n || decimals === undefined) return undefined;
  return (amount * micros * LAMPORTS) / (solMicros * 10n ** BigInt(decimals));
}

/** Columns that a price in dollars is made from. */
type PriceColumns = Pick<
  LatestSwapRow,
  'quote_mint' | 'quote_decimals' | 'token_decimals' | 'price_quote' | 'price_token'
>;

/** Dollars per whole token; undefined while the quote's own price, or decimals, are not known. */
export function priceUsd(swap: PriceColumns, solUsd: number | undefined): string | undefined {
  const micros = quoteMicros(swap.quote_mint, solUsd);
  const quoteDecimals = knownQuoteDecimals(swap);
  const { price_quote, price_token, token_decimals } = swap;
  if (micros === undefined || quoteDecimals === undefined) return undefined;
  if (token_decimals === UNKNOWN_DECIMALS || price_token === 0n) return undefined;
  return ratioPrice({
    quote: price_quote * micros,
    token: price_token,
    quoteDecimals: quoteDecimals + MICRO_DIGITS,
    tokenDecimals: token_decimals,
  });
}

interface Value {
  readonly price_usd: string | undefined;
  readonly market_cap_usd: string | undefined;
  readonly liquidity_usd: string | undefined;
}

/** Dollars, as far as they are known. `supply` in raw token units. */
export function valueFields(
  swap: LatestSwapRow | undefined,
  supply: bigint | undefined,
  solUsd: number | undefined,
): Partial<Value> {
  if (swap === undefined) return {};
  const price = priceUsd(swap, solUsd);
  return {
    price_usd: price,
    market_cap_usd: price === undefined ? undefined : marketCapUsd(swap, supply, solUsd),
    liquidity_usd: liquidityUsd(swap, solUsd),
  };
}

/** Raw tokens at a price of raw over raw: their decimals cancel out. */
function marketCapUsd(swap: PriceColumns, supply: bigint | undefined, solUsd: number | undefined): string | undefined {
  const micros = quoteMicros(swap.quote_mint, solUsd);
  const decimals = knownQuoteDecimals(swap);
  if (supply === undefined || micros === undefined || decimals === undefined) return undefined;
  const unit = 10n ** BigInt(decimals + MICRO_DIGITS);
  return moneyRatio(swap.price_quote * supply * micros, swap.price_token * unit);
}

/** Twice the quote that really lies in the market, in dollars; undefined while it is not known. */
export function liquidityUsd(
  market: Pick<LatestSwapRow, 'quote_mint' | 'quote_decimals' | 'real_quote_reserves' | 'reserves_known'>,
  solUsd: number | undefined,
): string | undefined {
  const micros = quoteMicros(market.quote_mint, solUsd);
  const decimals = knownQuoteDecimals(market);
  if (!market.reserves_known || micros === undefined || decimals === undefined) return undefined;
  const unit = 10n ** BigInt(decimals + MICRO_DIGITS);
  return moneyRatio(2n * market.real_quote_reserves * micros, unit);
}
