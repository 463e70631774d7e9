import type { ColumnType, TableLayout } from '../schema/table-layout.ts';
import { FACT_TABLES } from '../schema/tables.ts';
import { StoreError } from '../store-error.ts';
import type { FlushTable } from './flush-file.ts';

/** Columns of a flush's rows as they were when it was written. Throws {@link StoreError} for one that is gone. */
export function layoutOf({ table, columns }: FlushTable): TableLayout {
  const types: Readonly<Record<string, ColumnType>> = FACT_TABLES.find(({ name }) => name === table)?.columns ?? {};
  const own = columns.map((column) => [column, types[column]] as const);
  const unknown = own.find(([, type]) => type === undefined);
  if (unknown !== undefined) {
    throw new StoreError(
      'outbox_damaged',
      `a flush of an earlier version has a column ${table}.${unknown[0]} that is gone`,
    );
  }
  return { name: table, columns: Object.fromEntries(own) as Record<string, ColumnType> };
}
