import type { TableLayout } from './clickhouse/schema/table-layout.ts';

/** The layout of a SELECT that lists some columns of a table, in the order given. */
export function columnsOf<T extends TableLayout, const K extends keyof T['columns'] & string>(
  table: T,
  ...names: readonly K[]
): { readonly name: string; readonly columns: Pick<T['columns'], K> } {
  const columns = Object.fromEntries(names.map((name) => [name, table.columns[name]]));
  return { name: table.name, columns: columns as Pick<T['columns'], K> };
}
