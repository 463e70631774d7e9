import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../src/kernel/clock.ts';
import { openAccountsDatabase } from '../../src/store/accounts-db/accounts-db.ts';
import { BOOK_PLANS, fillAccountBook } from '../metering/account-book.ts';

/** Customers of a measured service. */
export interface Callers {
  /** One of each account. */
  readonly keys: readonly string[];
  /** File of the plans that they are on. */
  readonly plansFile: string;
}

/** Accounts: as many as the benchmarks have connections, so that none asks for more than plans can allow a key. */
export const CALLERS = 32;
/** More than a run spends. */
const CREDITS = 1_000_000_000;

/**
 * Accounts with a key each in the data folder of a service that has not been started yet, on plans with the highest
 * limits that there are: what is measured is how fast answers are, not how fast they are refused.
 */
export async function provideCallers(dataDir: string): Promise<Callers> {
  const path = join(dataDir, 'accounts.db');
  const accounts = await openAccountsDatabase({ url: undefined, path, clock: systemClock });
  const keys = await fillAccountBook(accounts, { accounts: CALLERS, keysOfEach: 1, credits: CREDITS });
  await accounts.close();
  const plansFile = join(dataDir, 'bench-plans.json');
  await writeFile(plansFile, BOOK_PLANS);
  return { keys, plansFile };
}
