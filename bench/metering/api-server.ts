import { createAccounts } from '../../src/accounts/accounts.ts';
import { createRateLimits } from '../../src/accounts/rate-limits.ts';
import { createOwnOrigin } from '../../src/accounts/sessions/own-origin.ts';
import { tokenExample } from '../../src/api/contract/examples/tokens.ts';
import { type Clock, systemClock } from '../../src/kernel/clock.ts';
import { createLogger } from '../../src/kernel/log.ts';
import { openAccountsDatabase } from '../../src/store/accounts-db/accounts-db.ts';
import { buildTestApp } from '../../test/support/api-app.ts';
import { createAnswersDouble } from '../../test/support/token-answers.ts';
import { leaveMeteringOut } from './without-metering.ts';

/** Buckets fill up so many times as fast as plans allow, so that one key can ask all the time. */
const HASTE = 10;

/**
 * The API over answers of kept bytes, in a process of its own: with a database of
 * accounts as the service has it, or without any of key, limit and credits.
 * Answers every message with the processor time it has used, in microseconds.
 */
const [url, plansFile] = process.argv.slice(2);
const snapshot = Buffer.from(JSON.stringify(tokenExample));
const answers = createAnswersDouble({ snapshot: () => snapshot });
const app = url === undefined ? bare() : await metered(url, systemClock);
process.send?.({ address: await app.listen({ host: '127.0.0.1', port: 0 }) });

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMicros: user + system });
});
// The benchmark that started this process is gone: nobody is left to ask.
process.once('disconnect', () => process.exit());

async function metered(databaseUrl: string, clock: Clock) {
  const log = createLogger('warn');
  const database = await openAccountsDatabase({ url: databaseUrl, path: 'unused', clock });
  const ownOrigin = createOwnOrigin({ publicUrl: undefined, host: '127.0.0.1', port: () => undefined });
  const { keys, meter } = await createAccounts(
    { devKey: undefined, enforce: false, plansFile },
    { accounts: database, ownOrigin, clock, log },
  );
  const limits = createRateLimits({ clock: { elapsed: () => HASTE * clock.elapsed() } });
  return buildTestApp({ answers, keys, meter, limits });
}

function bare() {
  const built = buildTestApp({ answers });
  leaveMeteringOut(built);
  return built;
}
