import { sql, type Transaction } from 'kysely';
import type { AccountsDatabase } from './accounts-db.ts';
import { AccountsError } from './accounts-error.ts';
import { countFrom, lastId } from './counters.ts';
import type { AccountsSchema } from './schema.ts';
import { TABLES, type TableLayout } from './tables.ts';

type Name = keyof AccountsSchema;
type Row = Readonly<Record<string, unknown>>;

/** Rows that are read, held and written at once. */
const PAGE_ROWS = 1_000;

/**
 * Copies accounts as of one moment, whoever uses them meanwhile, from either
 * engine into either, which must have none. What processes have leased of a
 * balance is free again in the copy. All of it comes, or nothing.
 */
export async function copyAccounts(from: AccountsDatabase, to: AccountsDatabase): Promise<void> {
  const snapshot = from.db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  await snapshot.execute((source) =>
    to.db.transaction().execute(async (target) => {
      await assertNoAccounts(target);
      for (const [name, layout] of Object.entries(TABLES) as [Name, TableLayout<never>][]) {
        if (layout.leftOut === undefined) await copyTable({ source, target, name, key: layout.key });
        if (layout.counts) {
          const last = await lastId(source, from.engine, name);
          await countFrom(target, to.engine, { table: name, last });
        }
      }
    }),
  );
}

/** Throws AccountsError `accounts_copy_failed` for a database with accounts in it. */
export async function assertNoAccounts(db: AccountsDatabase['db']): Promise<void> {
  const found = await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst();
  if (found === undefined) return;
  throw new AccountsError('accounts_copy_failed', 'there are accounts in it already: restore into an empty database');
}

interface TableCopy {
  readonly source: Transaction<AccountsSchema>;
  readonly target: Transaction<AccountsSchema>;
  readonly name: Name;
  readonly key: readonly string[];
}

async function copyTable({ source, target, name, key }: TableCopy): Promise<void> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  let after: Row | undefined;
  do {
    const last = after;
    const rest =
      last === undefined ? sql`` : sql`WHERE (${columns}) > (${sql.join(key.map((column) => last[column]))})`;
    const page = sql<Row>`SELECT * FROM ${sql.table(name)} ${rest} ORDER BY ${columns} LIMIT ${PAGE_ROWS}`;
    const { rows } = await page.execute(source);
    const values = name === 'pools' ? rows.map((row) => ({ ...row, leased: 0 })) : rows;
    // Names of tables are a fixed list, and both databases are of the same version.
    if (values.length > 0)
      await target
        .insertInto(name)
        .values(values as never)
        .execute();
    after = rows.length < PAGE_ROWS ? undefined : rows.at(-1);
  } while (after !== undefined);
}
