import { afterEach, beforeEach, expect } from 'vitest';
import type { Reservation } from '../../src/accounts/credits/credit-meter.ts';
import { sweepCredits } from '../../src/accounts/credits/credit-sweeps.ts';
import { DEFAULT_PLANS } from '../../src/accounts/plans.ts';
import type { KeyPrincipal } from '../../src/handlers/caller.ts';
import type { TestAccounts, TestEngine } from './accounts-engines.ts';
import { type CreditWorld, createCreditWorld, type MeterProcess } from './credit-world.ts';

const ROUTE = 'GET /tokens/{mint}';

/** Customers, processes and their calls, in a world of its own for each test. What must always hold is looked at when the test is over. */
export interface MeterCalls {
  readonly accounts: TestAccounts;
  readonly world: CreditWorld;
  start(options?: Parameters<CreditWorld['start']>[0]): MeterProcess;
  /** A key of a new account with so many credits. */
  customer(credits: number, plan?: string): Promise<KeyPrincipal>;
  take(process: MeterProcess, principal: KeyPrincipal, cost: number): Promise<Reservation | undefined>;
  /** A whole call. Gives whether it was let in. */
  call(process: MeterProcess, principal: KeyPrincipal, cost: number, charged?: number): Promise<boolean>;
  usage(): Promise<readonly { readonly key_id: number; readonly calls: number; readonly credits: number }[]>;
  /** Nobody held a lease for so long that it is over, by every margin. */
  takeBack(): Promise<void>;
}

export function useMeterCalls({ open }: Pick<TestEngine, 'open'>): MeterCalls {
  let accounts: TestAccounts;
  let world: CreditWorld;
  let processes: MeterProcess[] = [];
  beforeEach(async () => {
    accounts = await open();
    world = createCreditWorld(accounts);
    processes = [];
  });
  afterEach(async () => {
    for (const process of processes) process.thaw();
    const closing = processes.filter(({ isDead }) => !isDead).map(({ meter }) => meter.close());
    await world.clock.advance(2_000);
    await Promise.all(closing);
    expect(await world.faults()).toEqual([]);
    await accounts.close();
  });

  const take: MeterCalls['take'] = async ({ meter }, principal, cost) =>
    meter.reserve(principal, 'request', ROUTE, cost);

  return {
    get accounts() {
      return accounts;
    },
    get world() {
      return world;
    },
    start(options) {
      const process = world.start(options);
      processes.push(process);
      return process;
    },
    customer: async (credits, plan) => world.principalOf(await world.addKey(await world.addAccount(credits, plan))),
    take,
    async call(process, principal, cost, charged = cost) {
      const reservation = await take(process, principal, cost);
      reservation?.settle(charged);
      return reservation !== undefined;
    },
    usage: () => accounts.db.selectFrom('usage').select(['key_id', 'calls', 'credits']).orderBy('key_id').execute(),
    async takeBack() {
      world.clock.leap(80_000);
      await sweepCredits({ accounts, ledger: world.ledger, plans: DEFAULT_PLANS, clock: world.clock });
      expect(await accounts.db.selectFrom('leases').selectAll().execute()).toEqual([]);
    },
  };
}
