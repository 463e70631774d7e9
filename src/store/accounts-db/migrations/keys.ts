import { COLUMN_TYPES } from '../engine.ts';
import type { Migration } from '../migration.ts';

export const createKeyTable: Migration = async (db, engine) => {
  const { integer, bytes, counting } = COLUMN_TYPES[engine];
  await db.schema
    .createTable('api_keys')
    .addColumn('id', integer, counting)
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('hash', bytes, (column) => column.notNull().unique())
    .addColumn('prefix', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .execute();
};
