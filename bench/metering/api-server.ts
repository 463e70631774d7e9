import { tokenExample } from '../../src/contract/examples.ts';
import { systemClock as clock } from '../../src/kernel/clock.ts';
import { createLogger } from '../../src/kernel/log.ts';
import { testDependencies } from '../../test/support/api-app.ts';
import { TEST_KEY_PLACE } from '../../test/support/secrets-key.ts';
import { createAnswersDouble } from '../../test/support/token-answers.ts';
import { leaveMeteringOut } from './without-metering.ts';

/** Buckets fill up so many times as fast as plans allow, so that one key can ask all the time. */
const HASTE = 10;

/**
 * The API over answers of kept bytes, in a process of its own: with a database of accounts as the service has it, or
 * without any of key, limit and credits. Answers every message with the processor time it has used, in microseconds.
 *
 * The measured code runs compiled, as it does for a user: the loader of the benchmark itself would add to every
 * closure.
 */
const [url, plansFile] = process.argv.slice(2);
const { buildApp } = await compiled<typeof import('../../src/http/app.ts')>('http/app.js');
const snapshot = Buffer.from(JSON.stringify(tokenExample));
const answers = createAnswersDouble({ snapshot: () => snapshot });
const { app, close } = url === undefined ? bare() : await metered(url);
process.send?.({ address: await app.listen({ host: '127.0.0.1', port: 0 }) });

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMicros: user + system });
});
// The benchmark that started this process has asked enough, or is gone. What is counted is written first.
process.once('disconnect', () => void close().finally(() => process.exit()));

async function metered(databaseUrl: string) {
  const { openAccountsDatabase } = await compiled<typeof import('../../src/store/accounts-db/accounts-db.ts')>(
    'store/accounts-db/accounts-db.js',
  );
  const { createAccounts } = await compiled<typeof import('../../src/accounts/accounts.ts')>('accounts/accounts.js');
  const { createRateLimits } =
    await compiled<typeof import('../../src/accounts/rate-limits.ts')>('accounts/rate-limits.js');
  const { createOwnOrigin } = await compiled<typeof import('../../src/accounts/sessions/own-origin.ts')>(
    'accounts/sessions/own-origin.js',
  );
  const log = createLogger('warn');
  const database = await openAccountsDatabase({ url: databaseUrl, path: 'unused', key: TEST_KEY_PLACE, clock });
  const ownOrigin = createOwnOrigin({ publicUrl: undefined, host: '127.0.0.1', port: () => undefined });
  const settings = { devKey: undefined, enforce: true, plansFile };
  const accounts = await createAccounts(settings, { accounts: database, ownOrigin, clock, log });
  const { keys, meter } = accounts;
  const limits = createRateLimits({ clock: { elapsed: () => HASTE * clock.elapsed() } });
  const close = () => accounts.close().then(() => database.close());
  return { app: buildApp(testDependencies({ answers, keys, meter, limits })), close };
}

function bare() {
  const built = buildApp(testDependencies({ answers }));
  leaveMeteringOut(built);
  return { app: built, close: async () => {} };
}

/** A module of the built service. */
async function compiled<T>(path: string): Promise<T> {
  return (await import(new URL(`../../dist/${path}`, import.meta.url).href)) as T;
}
