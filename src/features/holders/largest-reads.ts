import { Type } from 'typebox';
import type { Address } from '../../chain/address.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { HOLDINGS, type HoldingRow, POSITIONS, type PositionRow } from '../../store/clickhouse/schema/tables.ts';
import { defineRowQuery } from '../../store/query.ts';
import { readAgreeing } from '../../token/agreeing-reads.ts';
import type { SettledDeps } from '../../token/settled.ts';

const addresses = Type.Array(Type.String());
const largest = { mint: Type.String(), wallets: Type.Integer(), venues: addresses };

const largestPositions = defineRowQuery({
  sql: new URL('./holders-largest.sql', import.meta.url),
  params: Type.Object(largest),
  layout: {
    name: 'holders_largest',
    columns: { ...POSITIONS.columns, mint_quotes: 'u8', mint_unknown: 'bool', mint_newest: 'u32' },
  },
});

const largestHoldings = defineRowQuery({
  sql: new URL('./holdings-largest.sql', import.meta.url),
  params: Type.Object({ ...largest, traders: addresses }),
  layout: HOLDINGS,
});

const named = Type.Object({ mint: Type.String(), wallets: addresses });

const namedPositions = defineRowQuery({
  sql: new URL('./positions-named.sql', import.meta.url),
  params: named,
  layout: POSITIONS,
});

const namedHoldings = defineRowQuery({
  sql: new URL('./holdings-named.sql', import.meta.url),
  params: named,
  layout: HOLDINGS,
});

/**
 * A position; beside it in how many quotes wallets ever traded its mint, whether the balance of some wallet of that is
 * not known, and the newest slot of all that is folded of it.
 */
export type HolderRow = PositionRow & {
  readonly mint_quotes: number;
  readonly mint_unknown: boolean;
  readonly mint_newest: number;
};

/** Whose holdings are asked for. */
export interface LargestAsked {
  /** So many wallets. */
  readonly wallets: number;
  /** Accounts that hold a mint and are nobody's: they are left out. */
  readonly venues: readonly Address[];
}

/** The question who holds the most of a token. */
export interface HolderReads {
  /** Positions of the traders with the largest balances, empty and unknown ones included, in all quotes of each, in no order. */
  holders(mint: Address, asked: LargestAsked): Promise<readonly HolderRow[]>;
  /** Holdings of the `traders` that have one, and besides the largest of all, of wallets that never traded too. */
  holdings(mint: Address, asked: LargestAsked, traders: readonly Address[]): Promise<readonly HoldingRow[]>;
}

/** The same, asked of the store. */
export function createHolderReads(client: StoreClient): HolderReads {
  return {
    holders: (mint, { wallets, venues }) => largestPositions(client, { mint, wallets, venues: [...venues] }),
    holdings: (mint, { wallets, venues }, traders) =>
      largestHoldings(client, { mint, wallets, venues: [...venues], traders: [...traders] }),
  };
}

/** Who holds the most of a token, at a slot that the store answers for. */
export interface LargestRows {
  readonly positions: readonly HolderRow[];
  readonly holdings: readonly HoldingRow[];
  readonly slot: number;
  /** Some wallet of the token has a balance that is not known. */
  readonly hasUnknown: boolean;
}

/** The rows of the largest holders, positions and holdings alike at the slot told. */
export async function readLargest(
  reads: HolderReads,
  settled: SettledDeps,
  mint: Address,
  asked: LargestAsked,
): Promise<LargestRows> {
  const rows = await readAgreeing(
    settled,
    () => reads.holders(mint, asked),
    (positions) => reads.holdings(mint, asked, tradersOf(positions)),
  );
  const hasUnknown =
    rows.positions[0]?.mint_unknown === true || rows.holdings.some(({ estimate_known }) => !estimate_known);
  return { ...rows, hasUnknown };
}

/** Wallets of positions, each once. */
export function tradersOf(positions: readonly Pick<PositionRow, 'trader'>[]): Address[] {
  return [...new Set(positions.flatMap(({ trader }) => trader || []))];
}

/** Positions of some wallets in a mint, in all quotes of each. */
export function readNamedPositions(
  client: StoreClient,
  mint: Address,
  wallets: readonly Address[],
): Promise<readonly PositionRow[]> {
  return wallets.length === 0 ? Promise.resolve([]) : namedPositions(client, { mint, wallets: [...wallets] });
}

/** Holdings of some wallets in a mint, of those that have one. */
export function readNamedHoldings(
  client: StoreClient,
  mint: Address,
  wallets: readonly Address[],
): Promise<readonly HoldingRow[]> {
  return wallets.length === 0 ? Promise.resolve([]) : namedHoldings(client, { mint, wallets: [...wallets] });
}
