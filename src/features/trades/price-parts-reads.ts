import { Type } from 'typebox';
import type { Address } from '../../chain/address.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { defineRowQuery } from '../../store/query.ts';
import type { PricingSwaps } from './pricing-swaps.ts';

/** Prices of the largest page of candles, each with its four. */
const MOST_PRICES = 10_000;

const parts = defineRowQuery({
  sql: new URL('./price-parts.sql', import.meta.url),
  params: Type.Object({
    mint: Type.String(),
    quote: Type.String(),
    pool: Type.String(),
    mark: Type.Integer(),
    bits: Type.Array(Type.String()),
  }),
  maxRows: MOST_PRICES,
  layout: { name: 'price_parts', columns: { price: 'f64', price_quote: 'u64', price_token: 'u64' } },
});

/** Raw amounts whose quotient is a price. */
export interface PriceParts {
  /** Raw quote over raw token, as the store has it. */
  readonly price: number;
  readonly price_quote: bigint;
  readonly price_token: bigint;
}

/** Prices of a token's swaps of which the amounts are asked for. */
export interface PricesAsked extends PricingSwaps {
  readonly prices: readonly number[];
}

/** Amounts behind those prices that the store answers for, in any order. */
export function readPriceParts(
  client: StoreClient,
  mint: Address,
  mark: number,
  { quote, pool, prices }: PricesAsked,
): Promise<readonly PriceParts[]> {
  return parts(client, { mint, quote, pool, mark, bits: prices.map(bitsOf) });
}

/** A double is told by its bits, so that no digit of it depends on how a text is read. */
function bitsOf(price: number): string {
  return new DataView(Float64Array.of(price).buffer).getBigUint64(0, true).toString();
}
