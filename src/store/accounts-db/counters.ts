import { type Kysely, sql } from 'kysely';
import type { Engine } from './engine.ts';
import type { AccountsSchema } from './schema.ts';

type Table = keyof AccountsSchema;

/** The last `id` that a counting table gave out, also when its row is gone. 0 before the first. */
export async function lastId(db: Kysely<AccountsSchema>, engine: Engine, table: Table): Promise<number> {
  const statement =
    engine === 'sqlite'
      ? sql<{ last: number | null }>`SELECT max(seq) AS last FROM sqlite_sequence WHERE name = ${table}`
      : sql<{
          last: number | null;
        }>`SELECT pg_sequence_last_value(pg_get_serial_sequence(${table}, 'id')::regclass) AS last`;
  return (await statement.execute(db)).rows[0]?.last ?? 0;
}

/** Lets a counting table go on after `last`, for rows that came with their ids. */
export async function countFrom(
  db: Kysely<AccountsSchema>,
  engine: Engine,
  { table, last }: { readonly table: Table; readonly last: number },
): Promise<void> {
  if (last === 0) return;
  if (engine === 'postgres') {
    await sql`SELECT setval(pg_get_serial_sequence(${table}, 'id')::regclass, ${last})`.execute(db);
    return;
  }
  await sql`DELETE FROM sqlite_sequence WHERE name = ${table}`.execute(db);
  await sql`INSERT INTO sqlite_sequence (name, seq) VALUES (${table}, ${last})`.execute(db);
}
