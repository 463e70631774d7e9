import { insertRows, type StoreClient } from '../client.ts';
import { encodeRows } from '../schema/row-codec.ts';
import type { RowOf, TableLayout } from '../schema/table-layout.ts';

/** Appends rows of a background table. Not for fact tables, which the writer alone fills. */
export async function appendRows<const T extends TableLayout>(
  client: StoreClient,
  layout: T,
  rows: readonly RowOf<T>[],
): Promise<void> {
  if (rows.length === 0) return;
  const { bytes } = encodeRows<T>(layout, rows);
  await insertRows(client, { table: layout.name, columns: Object.keys(layout.columns), bytes, token: undefined });
}
