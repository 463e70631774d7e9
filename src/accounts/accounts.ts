import { randomUUID } from 'node:crypto';
import type { KeyPrincipal } from '../handlers/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import type { AccountsDatabase } from '../store/accounts-db/accounts-db.ts';
import { type AccountAnswers, createAccountAnswers } from './account-answers.ts';
import { sweepAudit } from './audit.ts';
import { sweepChanges } from './change-reader.ts';
import { type AccountChangesFeed, createAccountChanges } from './changes.ts';
import { judgeRights } from './connection-rights.ts';
import { type Connections, createConnections } from './connections.ts';
import { type CreditAnswers, createCreditAnswers } from './credits/credit-answers.ts';
import { sweepCredits } from './credits/credit-sweeps.ts';
import { LEASE_TIMES, type LeaseTimes } from './credits/lease-rules.ts';
import { createLedger } from './credits/ledger.ts';
import { createLedgerMeter, type LedgerMeter } from './credits/ledger-meter.ts';
import { createAccountKeys } from './keys/account-keys.ts';
import { createFirstKey } from './keys/first-key.ts';
import { createKeyDirectory, type KeyDirectory } from './keys/key-directory.ts';
import { createKeyUse } from './keys/key-use.ts';
import { findStoredKey } from './keys/stored-keys.ts';
import { createLists, type Lists } from './lists/lists.ts';
import { ensureOperatorAccount, type OperatorAccount } from './operator/operator-account.ts';
import { loadPlans, OPERATOR_PLAN, type Plans } from './plans.ts';
import type { AuthAnswers } from './sessions/auth-answers.ts';
import type { OwnOrigin } from './sessions/own-origin.ts';
import { readPageSecret } from './sessions/page-sessions.ts';
import type { SessionDirectory } from './sessions/session-directory.ts';
import { openSignIn } from './sessions/sign-in.ts';
import { startSweeper } from './sweeper.ts';

/** Everything of accounts that the service needs. */
export interface Accounts {
  readonly keys: KeyDirectory;
  readonly sessions: SessionDirectory;
  readonly meter: LedgerMeter;
  readonly auth: AuthAnswers;
  readonly account: AccountAnswers;
  readonly credits: CreditAnswers;
  /** For the sockets to come. */
  readonly connections: Connections;
  readonly lists: Lists;
  readonly changes: AccountChangesFeed;
  /** A key for whoever starts the service first; undefined when there are keys already. */
  createFirstKey(): Promise<string | undefined>;
  /** Writes what is still in memory. The database is closed after it. */
  close(): Promise<void>;
}

export interface AccountsSettings {
  /** A key of the operator's choice, compared in memory only. */
  readonly devKey: string | undefined;
  /** False counts what calls cost and refuses nothing. */
  readonly enforce: boolean;
  /** Undefined for the plans that come with the service. */
  readonly plansFile: string | undefined;
  /** Lifetimes of leases of credits; the same for all processes on a database. */
  readonly leaseTimes?: LeaseTimes;
}

export interface AccountsSurroundings {
  readonly accounts: AccountsDatabase;
  /** Origin of the pages that wallets sign in from. */
  readonly ownOrigin: OwnOrigin;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Opens all rooms of accounts over an open database. */
export async function createAccounts(
  settings: AccountsSettings,
  surroundings: AccountsSurroundings,
): Promise<Accounts> {
  const { accounts, ownOrigin, clock, log } = surroundings;
  const { db, engine } = accounts;
  const plans = await loadPlans(settings.plansFile);
  const ledger = createLedger({ clock, plans });
  const operator = await db.transaction().execute((transaction) => ensureOperatorAccount(transaction, ledger, clock));
  // Steps that may fail come before those that run by themselves from then on, which would keep running.
  const secrets = await accounts.secrets();
  const pageSecret = await readPageSecret(accounts);
  const changes = createAccountChanges(db, clock, log);
  const use = createKeyUse(db, clock, log);
  const signIn = openSignIn({ accounts, ledger, changes, own: ownOrigin, pageSecret, clock, log });
  const { enforce, leaseTimes = LEASE_TIMES } = settings;
  const connections = createConnections({
    plans,
    changes,
    judge: (accountId, rights) => judgeRights({ db, plans, enforce, clock }, accountId, rights),
    clock,
    log,
  });
  const accountKeys = createAccountKeys({ db, clock, changes, plans, ledger });
  const meter = createLedgerMeter({ accounts, clock, log, enforce, plans, holder: randomUUID(), leaseTimes });
  changes.listen((change) => {
    if (change.kind === 'everything') meter.refresh();
    else if (change.kind !== 'session' && change.kind !== 'stream') meter.refresh(change.accountId);
  });
  const sweeper = startSweeper(
    [
      { name: 'changes', run: () => sweepChanges(db, clock) },
      { name: 'audit', run: () => sweepAudit(db, clock) },
      { name: 'credits', run: () => sweepCredits({ accounts, ledger, plans, clock, leaseTimes }) },
      { name: 'sign-in', run: () => signIn.sweep() },
    ],
    clock,
    log,
  );
  return {
    keys: createKeyDirectory({
      clock,
      changes,
      lookUp: (hash) => findStoredKey(db, plans, hash),
      used: (keyId) => use.used(keyId),
      development: developmentOf(settings.devKey, operator, plans),
    }),
    sessions: signIn.sessions,
    meter,
    auth: signIn.auth,
    credits: createCreditAnswers({ accounts, meter, ledger, plans, enforce, clock }),
    account: createAccountAnswers({ db, plans, keys: accountKeys, connections }),
    connections,
    lists: createLists({
      db,
      engine,
      clock,
      changes,
      secrets,
      streamLimit: (plan) => plans.get(plan).streams,
    }),
    changes,
    createFirstKey: () =>
      db.transaction().execute(async (transaction) => {
        const { accountId } = await ensureOperatorAccount(transaction, ledger, clock);
        return createFirstKey(transaction, accountId, clock);
      }),
    async close() {
      // At once: a database that hangs for one must not keep the meter from writing what calls cost.
      await Promise.all([meter, sweeper, changes, signIn, use].map((room) => room.close()));
      await connections.stop();
    },
  };
}

/** Makes whoever works with the development key the operator. No stored key has its id. */
function developmentOf(key: string | undefined, { accountId, poolId }: OperatorAccount, plans: Plans) {
  if (key === undefined) return undefined;
  const principal: KeyPrincipal = {
    id: 0,
    name: 'development',
    accountId,
    wallet: undefined,
    accountState: 'active',
    plan: OPERATOR_PLAN,
    state: 'active',
    rate: plans.get(OPERATOR_PLAN).rate,
    poolId,
  };
  return { key, principal };
}
