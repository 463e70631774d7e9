import { systemClock } from '../../src/kernel/clock.ts';
import { openAccountsDatabase } from '../../src/store/accounts-db/accounts-db.ts';

/** Opens a database as a process of its own, and counts in it: reads a number and writes the next, so often. */
const [url, times] = process.argv.slice(2);
const { db, close } = await openAccountsDatabase({ url, path: 'unused', clock: systemClock });
for (let i = 0; i < Number(times); i++) {
  await db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('settings')
      .values({ name: 'count', value: '0' })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ name: 'count' }))
      .execute();
    const { value } = await transaction
      .selectFrom('settings')
      .select('value')
      .where('name', '=', 'count')
      .executeTakeFirstOrThrow();
    await transaction
      .updateTable('settings')
      .set({ value: String(Number(value) + 1) })
      .where('name', '=', 'count')
      .execute();
  });
  // Outside of a transaction, as most of what changes is.
  await db
    .insertInto('audit')
    .values({ at: 0, actor: 'service', action: 'count', account_id: process.pid, details: '{}' })
    .execute();
}
await close();
