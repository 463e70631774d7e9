import { randomUUID } from 'node:crypto';
import { createLedgerMeter } from '../../../src/accounts/credits/ledger-meter.ts';
import type { KeyPrincipal } from '../../../src/handlers/caller.ts';
import { systemClock as clock } from '../../../src/kernel/clock.ts';
import { createLogger } from '../../../src/kernel/log.ts';
import { openAccountsDatabase } from '../../../src/store/accounts-db/accounts-db.ts';
import { SHORT_LEASES as leaseTimes, CAMPAIGN_PLANS as plans } from './campaign-plans.ts';

/** Credits to be spent, as the process is told. */
export interface Spending {
  readonly keyId: number;
  readonly accountId: number;
  readonly poolId: number;
  readonly price: number;
  /** Calls at once. */
  readonly lanes: number;
  /** Every so many calls cost nothing in the end. */
  readonly freeEvery: number;
  /** It gives up when it was refused for so long. */
  readonly patienceMs: number;
}

/** Credits that were settled, once that is written. */
export interface Spent {
  readonly settled: number;
}

/** Spends credits with a meter of its own, as fast as it can, whenever it is told to. */
const [url = ''] = process.argv.slice(2);
const PAUSE_MS = 20;
const accounts = await openAccountsDatabase({ url, path: 'unused', clock });
const log = createLogger('error');
const meter = createLedgerMeter({ accounts, clock, log, enforce: true, plans, holder: randomUUID(), leaseTimes });

process.on('message', (spending: Spending) => {
  void spend(spending).then((spent) => process.send?.(spent));
});
process.once('disconnect', () => process.exit());
process.send?.('ready');

async function spend({ keyId, accountId, poolId, price, lanes, freeEvery, patienceMs }: Spending): Promise<Spent> {
  const holder: KeyPrincipal = {
    id: keyId,
    name: 'spender',
    accountId,
    wallet: undefined,
    accountState: 'active',
    plan: 'trial',
    state: 'active',
    rate: { rps: 1, burst: 1 },
    poolId,
  };
  let settled = 0;
  let calls = 0;
  async function lane(): Promise<void> {
    for (let refusedSince: number | undefined; ; ) {
      const taken = await meter.reserve(holder, randomUUID(), 'GET /spent', price);
      if (taken === undefined) {
        refusedSince ??= clock.elapsed();
        if (clock.elapsed() - refusedSince > patienceMs) return;
        await clock.sleep(PAUSE_MS);
        continue;
      }
      refusedSince = undefined;
      calls += 1;
      const cost = calls % freeEvery === 0 ? 0 : price;
      taken.settle(cost);
      settled += cost;
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane));
  await meter.flush();
  return { settled };
}
