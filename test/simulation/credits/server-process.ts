import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createAccounts } from '../../../src/accounts/accounts.ts';
import { ADDRESS_RATES, createRateLimits } from '../../../src/accounts/rate-limits.ts';
import { createOwnOrigin } from '../../../src/accounts/sessions/own-origin.ts';
import { createClientAddress } from '../../../src/http/client-address.ts';
import { systemClock as clock } from '../../../src/kernel/clock.ts';
import { createLogger } from '../../../src/kernel/log.ts';
import { openAccountsDatabase } from '../../../src/store/accounts-db/accounts-db.ts';
import { buildTestApp, TEST_ORIGIN, TEST_PRINCIPAL } from '../../support/api-app.ts';
import { TEST_KEY_PLACE } from '../../support/secrets-key.ts';
import { campaignAnswers } from './campaign-answers.ts';
import { SHORT_LEASES } from './campaign-plans.ts';
import { keepWriteRecord } from './write-record.ts';

/**
 * A service with nothing but accounts and the API, to be killed: real keys, real
 * credits, real sign-in, made-up answers. Told the database's URL and a file of
 * plans, it says where it listens. In a third file it keeps a record of its writes.
 */
const [url = '', plansFile, recordFile = ''] = process.argv.slice(2);
const { rate } = TEST_PRINCIPAL;
const log = createLogger('warn');
const database = await openAccountsDatabase({ url, path: 'unused', key: TEST_KEY_PLACE, clock });
const ownOrigin = createOwnOrigin({ publicUrl: TEST_ORIGIN, host: '127.0.0.1', port: () => undefined });
const settings = { devKey: undefined, enforce: true, plansFile, leaseTimes: SHORT_LEASES };
const accounts = await createAccounts(settings, { accounts: database, ownOrigin, clock, log });
const { keys, meter, sessions, auth, account, credits } = accounts;
keepWriteRecord(recordFile, () => meter.figures);
const app = buildTestApp({
  answers: campaignAnswers(),
  keys,
  meter,
  sessions,
  auth,
  account,
  credits,
  ownOrigin,
  // The campaign says itself where its wallets come from.
  clientAddress: createClientAddress(1),
  limits: createRateLimits({
    clock,
    addressRates: { ...ADDRESS_RATES, reads: rate, sign_in: rate, pages: rate },
    accountRate: rate,
  }),
});
await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.({ port: (app.server.address() as AddressInfo).port });

// The process that started us is gone.
process.once('disconnect', () => process.exit(1));
await once(process, 'SIGTERM');
await app.close();
await accounts.close();
await database.close();
process.exit(0);
