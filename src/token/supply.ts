import type { HydratedTokenRow } from '../store/clickhouse/schema/background-tables.ts';
import type { TokenCreationRow } from '../store/clickhouse/schema/tables.ts';

const BILLION = 10n ** 9n;

/** Facts that tell how many units of a token there are. */
export interface SupplyFacts {
  readonly creation: Pick<TokenCreationRow, 'decimals' | 'mayhem'> | undefined;
  readonly hydrated?: Pick<HydratedTokenRow, 'decimals' | 'mayhem' | 'supply' | 'bonding_curve'> | undefined;
}

/**
 * Raw units that shares of the supply are taken of: 1 billion tokens for those
 * of the launchpad, 2 billion in mayhem mode, whatever was burnt since; the
 * mint's own supply for others. Undefined while nothing tells.
 */
export function tokenSupply({ creation, hydrated }: SupplyFacts): bigint | undefined {
  const launched = creation ?? (hydrated !== undefined && hydrated.bonding_curve !== '' ? hydrated : undefined);
  if (launched !== undefined) return (launched.mayhem ? 2n : 1n) * BILLION * 10n ** BigInt(launched.decimals);
  return hydrated === undefined || hydrated.supply === 0n ? undefined : hydrated.supply;
}

/** Percent of a supply, rounded to two decimals, halves up. */
export function supplyPct(tokens: bigint, supply: bigint): number {
  return Number((tokens * 20_000n + supply) / (2n * supply)) / 100;
}
