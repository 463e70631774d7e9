import type { ColumnDataType, ColumnDefinitionBuilder } from 'kysely';

/** Databases that can keep the accounts. */
export type Engine = 'sqlite' | 'postgres';

export interface ColumnTypes {
  /** 64 bits. */
  readonly integer: ColumnDataType;
  readonly bytes: ColumnDataType;
  /** A primary key that counts up and is never given out again. */
  readonly counting: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
}

/** Types of columns by the names that each engine has for them. */
export const COLUMN_TYPES: Readonly<Record<Engine, ColumnTypes>> = {
  sqlite: {
    integer: 'integer',
    bytes: 'blob',
    counting: (column) => column.primaryKey().autoIncrement(),
  },
  postgres: {
    integer: 'bigint',
    bytes: 'bytea',
    counting: (column) => column.primaryKey().generatedByDefaultAsIdentity(),
  },
};
