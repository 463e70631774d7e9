import { readSqlFile } from '../sql-file.ts';
import type { FactTableName } from './tables.ts';

/**
 * Fact tables that do not keep their rows as they come: columns that follow from
 * others are computed when they are read (ALIAS columns of the same names), and
 * where they nearly follow, the difference is kept. The value is the SELECT that
 * turns rows, `$rows` in it, into the stored columns, in the table's order.
 */
export const PACKED_TABLES: ReadonlyMap<FactTableName, string> = new Map(
  (['swaps', 'attempts', 'positions'] as const).map((name) => [
    name,
    readSqlFile(new URL(`./packed/${name}.sql`, import.meta.url)),
  ]),
);
