import { type Kysely, sql } from 'kysely';
import { countFrom, lastId } from '../counters.ts';
import { COLUMN_TYPES, type Engine } from '../engine.ts';
import type { Migration } from '../migration.ts';
import type { AccountsSchema } from '../schema.ts';
import type { SecretBox } from '../secret-box.ts';
import { PAGE_SECRET_SETTING, SCRUB_SETTING, settingPlace, streamTokenPlace } from '../secret-places.ts';

type Database = Kysely<AccountsSchema>;

/** A stream whose token is still plain text. */
interface PlainStream {
  readonly id: number;
  readonly account_id: number;
  readonly owner: string;
  readonly token: string;
}

/** Streams that are read, held and sealed at once. */
const PAGE_ROWS = 500;

/**
 * Seals tokens of streams and the secret of page sessions. Both tables are built anew and the old ones dropped with all
 * their pages: what is written over in Postgres stays where it is. SQLite keeps dropped pages, which are marked to be scrubbed.
 */
export const sealSecrets: Migration = async (db, engine, _clock, adoptKey) => {
  const last = await lastId(db, engine, 'streams');
  const secret = await db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', PAGE_SECRET_SETTING)
    .executeTakeFirst();
  const hasSecrets = last > 0 || secret !== undefined;
  await rebuildSettings(db);
  // In the new table, which is there to take the id of the key.
  const box = hasSecrets ? await adoptKey() : undefined;
  if (box !== undefined && secret !== undefined) {
    const value = box.seal(secret.value, settingPlace(PAGE_SECRET_SETTING)).toString('base64url');
    await db.insertInto('settings').values({ name: PAGE_SECRET_SETTING, value }).execute();
  }
  await db.schema.dropIndex('streams_by_account').execute();
  await db.schema.alterTable('streams').renameTo('streams_in_plain_text').execute();
  await createStreams(db, engine);
  if (box !== undefined) await sealStreams(db, engine, box);
  await db.schema.dropTable('streams_in_plain_text').execute();
  await countFrom(db, engine, { table: 'streams', last });
  if (hasSecrets && engine === 'sqlite') {
    await db.insertInto('settings').values({ name: SCRUB_SETTING, value: '1' }).execute();
  }
};

/** Everything but the secret of page sessions. */
async function rebuildSettings(db: Database): Promise<void> {
  await db.schema.alterTable('settings').renameTo('settings_in_plain_text').execute();
  await db.schema
    .createTable('settings')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
  await sql`
    INSERT INTO settings (name, value)
    SELECT name, value FROM settings_in_plain_text WHERE name <> ${PAGE_SECRET_SETTING}`.execute(db);
  await db.schema.dropTable('settings_in_plain_text').execute();
}

async function createStreams(db: Database, engine: Engine): Promise<void> {
  const { integer, bytes, counting } = COLUMN_TYPES[engine];
  await db.schema
    .createTable('streams')
    .addColumn('id', integer, counting)
    .addColumn('account_id', integer, (column) => column.notNull())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('token_sealed', bytes, (column) => column.notNull())
    .addColumn('token_code', bytes, (column) => column.notNull())
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
    .addUniqueConstraint('streams_token_code', ['token_code'])
    .execute();
  await db.schema.createIndex('streams_by_account').on('streams').columns(['account_id', 'id']).execute();
}

async function sealStreams(db: Database, engine: Engine, box: SecretBox): Promise<void> {
  const bytes = sql.raw(engine === 'postgres' ? 'bytea' : 'blob');
  for (let after = 0; ; ) {
    const page = sql<PlainStream>`
      SELECT id, account_id, owner, token FROM streams_in_plain_text WHERE id > ${after} ORDER BY id LIMIT ${PAGE_ROWS}`;
    const { rows } = await page.execute(db);
    for (const stream of rows) {
      const sealed = box.seal(stream.token, streamTokenPlace(stream));
      await sql`
        INSERT INTO streams (id, account_id, owner, token_sealed, token_code, name, active, kinds,
          wallet_list_id, dev_list_id, wallets, devs, min_sol, created_at, updated_at)
        SELECT id, account_id, owner, CAST(${sealed} AS ${bytes}), CAST(${box.codeOf(stream.token)} AS ${bytes}), name, active, kinds,
          wallet_list_id, dev_list_id, wallets, devs, min_sol, created_at, updated_at
        FROM streams_in_plain_text WHERE id = ${stream.id}`.execute(db);
    }
    if (rows.length < PAGE_ROWS) return;
    after = rows.at(-1)?.id ?? after;
  }
}
