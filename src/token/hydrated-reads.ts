import { Type } from 'typebox';
import type { Address } from '../chain/address.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { HYDRATED_TOKENS, type HydratedTokenRow } from '../store/clickhouse/schema/background-tables.ts';
import { UNKNOWN_DECIMALS } from '../store/clickhouse/schema/codes.ts';
import { defineRowQuery } from '../store/query.ts';

const hydrated = defineRowQuery({
  sql: new URL('./hydrated-tokens.sql', import.meta.url),
  params: Type.Object({ mints: Type.Array(Type.String()) }),
  layout: HYDRATED_TOKENS,
});

/** Facts out of the chain's accounts for tokens whose creation nobody saw; tokens that were not found are left out. */
export async function readHydratedTokens(
  client: StoreClient,
  mints: Iterable<Address>,
): Promise<ReadonlyMap<Address | '', HydratedTokenRow>> {
  const wanted = [...mints];
  if (wanted.length === 0) return new Map();
  return new Map((await hydrated(client, { mints: wanted })).map((row) => [row.mint, row]));
}

interface DecimalsColumns {
  readonly quote_mint: Address | '';
  readonly quote_decimals: number;
  readonly token_decimals?: number;
}

/**
 * Rows with the decimals that were not known when they were stored and have
 * been learnt since. Costs nothing where all are known, which is nearly always.
 */
export async function withLearntDecimals<R extends DecimalsColumns>(
  client: StoreClient,
  rows: readonly R[],
  mintOf: (row: R) => Address | '',
): Promise<R[]> {
  const learn = await readLearntDecimals(
    client,
    rows.map((row) => [mintOf(row), row]),
  );
  return rows.map((row) => learn(mintOf(row), row));
}

/** Puts decimals that have been learnt since into a row of a mint that is one of `rows`. */
type Learn = <R extends DecimalsColumns>(mint: Address | '', row: R) => R;

/** The same for rows of several kinds: what was learnt of their decimals, to be put into each. */
export async function readLearntDecimals(
  client: StoreClient,
  rows: Iterable<readonly [mint: Address | '', row: DecimalsColumns]>,
): Promise<Learn> {
  const unknown = new Set<Address>();
  const note = (mint: Address | '') => {
    if (mint !== '') unknown.add(mint);
  };
  for (const [mint, row] of rows) {
    if (row.quote_decimals === UNKNOWN_DECIMALS) note(row.quote_mint);
    if (row.token_decimals === UNKNOWN_DECIMALS) note(mint);
  }
  const learnt = await readHydratedTokens(client, unknown);
  if (learnt.size === 0) return (_mint, row) => row;
  const known = (decimals: number, mint: Address | '') =>
    decimals === UNKNOWN_DECIMALS ? (learnt.get(mint)?.decimals ?? decimals) : decimals;
  return (mint, row) => ({
    ...row,
    quote_decimals: known(row.quote_decimals, row.quote_mint),
    ...(row.token_decimals === undefined ? {} : { token_decimals: known(row.token_decimals, mint) }),
  });
}
