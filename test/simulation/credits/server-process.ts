import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createAccountChanges } from '../../../src/accounts/changes.ts';
import { sweepCredits } from '../../../src/accounts/credits/credit-sweeps.ts';
import { createLedger } from '../../../src/accounts/credits/ledger.ts';
import { createLedgerMeter } from '../../../src/accounts/credits/ledger-meter.ts';
import { createKeyDirectory } from '../../../src/accounts/keys/key-directory.ts';
import { findStoredKey } from '../../../src/accounts/keys/stored-keys.ts';
import { systemClock as clock } from '../../../src/kernel/clock.ts';
import { createLogger } from '../../../src/kernel/log.ts';
import { openAccountsDatabase } from '../../../src/store/accounts-db/accounts-db.ts';
import { buildTestApp } from '../../support/api-app.ts';
import { campaignAnswers } from './campaign-answers.ts';
import { SHORT_LEASES as leaseTimes, CAMPAIGN_PLANS as plans } from './campaign-plans.ts';

/**
 * A service with nothing but accounts and the API, to be killed: real keys, real
 * credits, made-up answers. Told the database's URL, it says where it listens.
 */
const SWEEP_EVERY_MS = 500;
const [url = ''] = process.argv.slice(2);
const log = createLogger('warn');
const stopping = new AbortController();
const accounts = await openAccountsDatabase({ url, path: 'unused', clock });
const changes = createAccountChanges(accounts.db, clock, log);
const keys = createKeyDirectory({
  clock,
  changes,
  lookUp: (hash) => findStoredKey(accounts.db, plans, hash),
  used: () => {},
  development: undefined,
});
const ledger = createLedger({ clock, plans });
const meter = createLedgerMeter({ accounts, clock, log, enforce: true, plans, holder: randomUUID(), leaseTimes });
const sweeping = sweep();
changes.listen((change) => {
  if (change.kind === 'everything') meter.refresh();
  else if (change.kind === 'credits') meter.refresh(change.accountId);
});
const app = buildTestApp({ answers: campaignAnswers(), keys, meter });
await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.({ port: (app.server.address() as AddressInfo).port });

// Whoever started us is gone.
process.once('disconnect', () => process.exit(1));
await once(process, 'SIGTERM');
stopping.abort();
await sweeping;
await app.close();
await meter.close();
await changes.close();
await accounts.close();
process.exit(0);

/** As the service does it, and more often: leases are short here. */
async function sweep(): Promise<void> {
  while (!stopping.signal.aborted) {
    await sweepCredits({ accounts, ledger, plans, clock, leaseTimes }).catch((error: unknown) => {
      log.warn({ err: String(error) }, 'credits could not be swept');
    });
    await clock.sleep(SWEEP_EVERY_MS, stopping.signal);
  }
}
