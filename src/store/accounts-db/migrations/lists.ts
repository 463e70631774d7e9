import { COLUMN_TYPES } from '../engine.ts';
import type { Migration } from '../migration.ts';

/** Wallet groups, favorites and streams. */
export const createListTables: Migration = async (db, engine) => {
  const { integer, counting } = COLUMN_TYPES[engine];
  await db.schema
    .createTable('wallet_groups')
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('updated_at', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('wallet_groups_key', ['owner', 'id'])
    .execute();
  await db.schema
    .createTable('wallet_group_members')
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('group_id', 'text', (column) => column.notNull())
    .addColumn('wallet', 'text', (column) => column.notNull())
    .addColumn('note', 'text')
    .addColumn('added_at', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('wallet_group_members_key', ['owner', 'group_id', 'wallet'])
    .execute();
  await db.schema
    .createTable('wallet_favorites')
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('wallet', 'text', (column) => column.notNull())
    .addColumn('alias', 'text')
    .addColumn('added_at', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('wallet_favorites_key', ['owner', 'wallet'])
    .execute();
  await db.schema
    .createTable('streams')
    .addColumn('id', integer, counting)
    .addColumn('account_id', integer, (column) => column.notNull())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('token', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('active', integer, (column) => column.notNull())
    .addColumn('kinds', 'text', (column) => column.notNull())
    .addColumn('wallet_list_id', 'text', (column) => column.notNull())
    .addColumn('dev_list_id', 'text', (column) => column.notNull())
    .addColumn('wallets', 'text', (column) => column.notNull())
    .addColumn('devs', 'text', (column) => column.notNull())
    .addColumn('min_sol', 'text', (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('updated_at', integer, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('streams_by_account').on('streams').columns(['account_id', 'id']).execute();
};
