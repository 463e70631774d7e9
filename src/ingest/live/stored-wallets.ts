import type { Address } from '../../chain/address.ts';
import { addressBytes } from '../../chain/keys/address-table.ts';
import type { PositionKey, PositionState } from '../../facts/average-cost.ts';
import type { HoldingState, WalletKey } from '../../facts/holding.ts';
import { columnList, readRows, type StoreClient } from '../../store/clickhouse/client.ts';
import { MOVE_TABLES } from '../../store/clickhouse/read/movements.ts';
import { fromHoldingRow } from '../../store/clickhouse/schema/holding-rows.ts';
import { fromPositionRow } from '../../store/clickhouse/schema/position-rows.ts';
import type { RowOf, TableLayout } from '../../store/clickhouse/schema/table-layout.ts';
import { HOLDINGS, POSITIONS } from '../../store/clickhouse/schema/tables.ts';
import type { Quote } from './traded-mints.ts';

/** Keys of one query: 192 hexadecimal digits each at most, well below the server's limit for a query's text. */
const KEYS_PER_QUERY = 1_000;
const ADDRESS_BYTES = 32;
/** SOL as a quote is 32 zero bytes in the store. */
const SOL = '00'.repeat(ADDRESS_BYTES);

/** The newest state of those positions that are stored, in any order. */
export async function readStoredPositions(
  client: StoreClient,
  keys: readonly PositionKey[],
): Promise<readonly PositionState[]> {
  const parts = keys.map(({ mint, quoteMint, trader }) => [mint, quoteMint, trader]);
  const columns = ['mint', 'quote_mint', 'trader'];
  return (await readByKeys(client, POSITIONS, { from: 'positions FINAL', columns, keys: parts })).map(fromPositionRow);
}

/** The same of holdings. */
export async function readStoredHoldings(
  client: StoreClient,
  keys: readonly WalletKey[],
): Promise<readonly HoldingState[]> {
  const parts = keys.map(({ mint, wallet }) => [mint, wallet]);
  const from = 'holdings FINAL';
  return (await readByKeys(client, HOLDINGS, { from, columns: ['mint', 'wallet'], keys: parts })).map(fromHoldingRow);
}

/** The quotes in which mints were ever traded; those that never were are left out. */
export async function readTradedQuotes(
  client: StoreClient,
  mints: readonly Address[],
): Promise<ReadonlyMap<Address, readonly Quote[]>> {
  const asked = { columns: ['mint'], keys: mints.map((mint) => [mint]) };
  const rows = await readByKeys(client, MARKETS, { from: 'market_latest', distinct: true, ...asked });
  const quotes = new Map<Address, Quote[]>();
  for (const { mint, quote_mint } of rows) {
    quotes.set(mint, [...(quotes.get(mint) ?? []), quote_mint === '' ? undefined : quote_mint]);
  }
  return quotes;
}

/** Those of the mints that the store has movements of. */
export async function readMovedMints(client: StoreClient, mints: readonly Address[]): Promise<ReadonlySet<Address>> {
  const keys = mints.map((mint) => [mint]);
  const found = new Set<Address>();
  for (const from of [...MOVE_TABLES, 'pools']) {
    const rows = await readByKeys(client, MOVED, { from, distinct: true, columns: ['mint'], keys });
    for (const { mint } of rows) found.add(mint);
  }
  return found;
}

const MARKETS = { name: 'markets', columns: { mint: 'account', quote_mint: 'address' } } as const satisfies TableLayout;
const MOVED = { name: 'moved', columns: { mint: 'account' } } as const satisfies TableLayout;

interface AskedKeys {
  readonly from: string;
  readonly distinct?: boolean;
  /** The first columns of the table's order. */
  readonly columns: readonly string[];
  /** An address for each of these, undefined = SOL. */
  readonly keys: readonly (readonly Quote[])[];
}

async function readByKeys<const T extends TableLayout>(
  client: StoreClient,
  layout: T,
  { keys, ...asked }: AskedKeys,
): Promise<readonly RowOf<T>[]> {
  const found: RowOf<T>[] = [];
  for (let start = 0; start < keys.length; start += KEYS_PER_QUERY) {
    const some = keys.slice(start, start + KEYS_PER_QUERY);
    for (const row of await readRows(client, layout, keyQuery(layout, { ...asked, keys: some }))) found.push(row);
  }
  return found;
}

/**
 * The keys stand in the text as one run of hexadecimal digits, taken apart by
 * the server: a parameter would have to fit into a URL, and a list of literals
 * takes several times as long to parse.
 */
function keyQuery(layout: TableLayout, { from, distinct = false, columns, keys }: AskedKeys): string {
  const digits = keys.map((key) => key.map(hex).join('')).join('');
  const bytes = columns.length * ADDRESS_BYTES;
  const parts = columns.map(
    (_, place) => `toFixedString(substring(key, ${place * ADDRESS_BYTES + 1}, ${ADDRESS_BYTES}), ${ADDRESS_BYTES})`,
  );
  return `
    SELECT ${distinct ? 'DISTINCT' : ''} ${columnList(layout)}
    FROM ${from}
    WHERE (${columns.join(', ')}) IN (
      SELECT ${parts.join(', ')}
      FROM (SELECT substring(unhex('${digits}'), number * ${bytes} + 1, ${bytes}) AS key FROM numbers(${keys.length}))
    )
    SETTINGS max_threads = 1`;
}

function hex(address: Quote): string {
  return address === undefined ? SOL : Buffer.from(addressBytes(address)).toString('hex');
}
