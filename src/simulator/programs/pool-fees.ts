import { ZERO_ADDRESS } from '../../chain/address.ts';
import type { Pool } from '../market.ts';
import type { FeeRates } from './venue.ts';

/** Rates from a market cap on, in whole units of the quote. */
type Tier = readonly [from: bigint, rates: FeeRates];

const rates = (lp: bigint, protocol: bigint, creator: bigint): FeeRates => ({ lp, protocol, creator });

/** Of coins quoted in SOL, as far up as simulated coins get. */
const SOL_TIERS: readonly Tier[] = [
  [4_420n, rates(20n, 5n, 75n)],
  [3_440n, rates(20n, 5n, 80n)],
  [2_460n, rates(20n, 5n, 85n)],
  [1_470n, rates(20n, 5n, 90n)],
  [420n, rates(20n, 5n, 95n)],
  [0n, rates(2n, 93n, 30n)],
];

const DOLLAR_TIERS: readonly Tier[] = [
  [700_000n, rates(20n, 5n, 80n)],
  [500_000n, rates(20n, 5n, 85n)],
  [300_000n, rates(20n, 5n, 90n)],
  [59_000n, rates(20n, 5n, 95n)],
  [0n, rates(2n, 93n, 30n)],
];

const HAND_MADE_POOL = rates(25n, 5n, 0n);

/** Rates that a pool charges at a market cap in raw quote units. */
export function poolRates(pool: Pool, marketCap: bigint): FeeRates {
  if (!pool.canonical) return HAND_MADE_POOL;
  const whole = marketCap / 10n ** BigInt(pool.quote.decimals);
  const tiers = pool.quote.decimals === 9 ? SOL_TIERS : DOLLAR_TIERS;
  const tier = tiers.find(([from]) => whole >= from)![1];
  return pool.coinCreator === ZERO_ADDRESS ? { ...tier, creator: 0n } : tier;
}
