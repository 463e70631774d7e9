import { addressBytes } from '../../chain/keys/address-table.ts';
import type { PositionKey, PositionState } from '../../facts/average-cost.ts';
import { columnList, readRows, type StoreClient } from '../../store/clickhouse/client.ts';
import { fromPositionRow } from '../../store/clickhouse/schema/position-rows.ts';
import { POSITIONS } from '../../store/clickhouse/schema/tables.ts';

/** Keys of one query: 192 hexadecimal digits each, well below the server's limit for a query's text. */
const KEYS_PER_QUERY = 1_000;
const ADDRESS_BYTES = 32;
const KEY_BYTES = 3 * ADDRESS_BYTES;
/** SOL as a quote is 32 zero bytes in the store. */
const SOL = '00'.repeat(ADDRESS_BYTES);

/** The newest state of those positions that are stored, in any order. */
export async function readStoredPositions(
  client: StoreClient,
  keys: readonly PositionKey[],
): Promise<readonly PositionState[]> {
  const states: PositionState[] = [];
  for (let start = 0; start < keys.length; start += KEYS_PER_QUERY) {
    const rows = await readRows(client, POSITIONS, positionQuery(keys.slice(start, start + KEYS_PER_QUERY)));
    for (const row of rows) states.push(fromPositionRow(row));
  }
  return states;
}

/**
 * The keys stand in the text as one run of hexadecimal digits, taken apart by
 * the server: a parameter would have to fit into a URL, and a list of literals
 * takes several times as long to parse.
 */
function positionQuery(keys: readonly PositionKey[]): string {
  const digits = keys.map(
    (key) => hex(key.mint) + (key.quoteMint === undefined ? SOL : hex(key.quoteMint)) + hex(key.trader),
  );
  const part = (place: number) =>
    `toFixedString(substring(key, ${place * ADDRESS_BYTES + 1}, ${ADDRESS_BYTES}), ${ADDRESS_BYTES})`;
  return `
    SELECT ${columnList(POSITIONS)}
    FROM positions FINAL
    WHERE (mint, quote_mint, trader) IN (
      SELECT ${part(0)}, ${part(1)}, ${part(2)}
      FROM (
        SELECT substring(unhex('${digits.join('')}'), number * ${KEY_BYTES} + 1, ${KEY_BYTES}) AS key
        FROM numbers(${keys.length})
      )
    )
    SETTINGS max_threads = 1`;
}

function hex(address: PositionKey['mint']): string {
  return Buffer.from(addressBytes(address)).toString('hex');
}
