import type { PoolFees } from '../pump-amm/pool.ts';

/**
 * Fees by market cap as the fee program had them on 2026-09-08. They change by
 * configuration: events carry the rates they were charged at, and this table is
 * for quotes and simulation.
 */
export interface FeeTier extends PoolFees {
  /** Smallest market cap, raw quote units. */
  readonly marketCap: bigint;
}

const LAMPORTS = 1_000_000_000n;
const MICRO_USDC = 1_000_000n;

/** [lp, protocol, creator] in basis points, from the lowest tier up. */
const RATES: readonly (readonly [bigint, bigint, bigint])[] = [
  [2n, 93n, 30n],
  ...[95, 90, 85, 80, 75, 70, 65, 60, 55, 50, 45, 40, 35, 30, 28, 25, 23, 20, 18, 15, 13, 10, 8, 5].map(
    (creator) => [20n, 5n, BigInt(creator)] as const,
  ),
];

const SOL_THRESHOLDS = [
  0, 420, 1_470, 2_460, 3_440, 4_420, 9_820, 14_740, 19_650, 24_560, 29_470, 34_380, 39_300, 44_210, 49_120, 54_030,
  58_940, 63_860, 68_770, 73_681, 78_590, 83_500, 88_400, 93_330, 98_240,
];

const USDC_THRESHOLDS = [
  0,
  59_000,
  300_000,
  500_000,
  700_000,
  900_000,
  ...Array.from({ length: 19 }, (_, i) => (i + 2) * 1_000_000),
];

/** Canonical pools quoted in SOL. */
export const SOL_FEE_TIERS = tiers(SOL_THRESHOLDS, LAMPORTS);

/** Canonical pools quoted in USDC. */
export const USDC_FEE_TIERS = tiers(USDC_THRESHOLDS, MICRO_USDC);

/** Pools that are not the canonical one of a coin. */
export const FLAT_POOL_FEES: PoolFees = { lpBps: 25n, protocolBps: 5n, creatorBps: 0n };

/** The highest tier that a market cap reaches. `tiers` ascend and start at 0. */
export function feeTierOf(feeTiers: readonly FeeTier[], marketCap: bigint): FeeTier {
  return feeTiers.findLast((tier) => tier.marketCap <= marketCap) ?? feeTiers[0]!;
}

function tiers(thresholds: readonly number[], unit: bigint): readonly FeeTier[] {
  return thresholds.map((threshold, i) => {
    const [lpBps, protocolBps, creatorBps] = RATES[i]!;
    return { marketCap: BigInt(threshold) * unit, lpBps, protocolBps, creatorBps };
  });
}
