import type { Address } from '../../chain/address.ts';
import type { SwapRow } from '../../store/clickhouse/schema/tables.ts';
import { pricingSwap, type TokenState } from '../../token/state.ts';

/**
 * Chooses the swaps that a token's price in a quote comes from: those that price it or, while
 * there are none, all swaps of its deepest pool. When another pool becomes the deepest,
 * the whole history is that pool's.
 */
export function pricingSwaps(token: TokenState, quote: PricingSwaps['quote']): PricingSwaps {
  const last = pricingSwap(token);
  return { quote, pool: last === undefined || last === token.lastPriced ? '' : last.pool };
}

export function isPricing(
  { quote, pool }: PricingSwaps,
  swap: Pick<SwapRow, 'quote_mint' | 'pool' | 'priced'>,
): boolean {
  return swap.quote_mint === quote && (pool === '' ? swap.priced : swap.pool === pool);
}

/** Swaps that make a token's ticks and candles. */
export interface PricingSwaps {
  /** '' is SOL. */
  readonly quote: Address | '';
  /** Those of this pool, whatever they are; '' for those that price the token. */
  readonly pool: Address | '';
}
