import type { Kysely, Transaction } from 'kysely';
import type { AccountState } from '../../contract/states.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { AccountsDatabase } from '../../store/accounts-db/accounts-db.ts';
import type { AccountsSchema } from '../../store/accounts-db/schema.ts';
import { lockAccount } from '../account-lock.ts';
import { ACCOUNT_COLUMNS, type AccountRow, countStreams, insertAccount } from '../account-rows.ts';
import { type AuditEntry, type AuditRow, listAudit, recordAudit } from '../audit.ts';
import { recordChange } from '../changes.ts';
import type { KeyResource } from '../contract-shapes.ts';
import type { Ledger } from '../credits/ledger.ts';
import type { AccountKeys } from '../keys/account-keys.ts';
import { type Plans, TRIAL_PLAN } from '../plans.ts';

/** Accounts as the operator sees and changes them. Every change is audited, and told to the processes that serve. */
export interface AccountAdmin {
  /** An account by its id or its wallet; `operator` names the operator's own. */
  find(name: string): Promise<AccountRow | undefined>;
  /** By id, those after one. */
  list(page: { readonly after: number; readonly limit: number }): Promise<readonly AccountView[]>;
  show(account: AccountRow): Promise<AccountDetails>;
  /** Undefined when the wallet has one already. */
  create(account: {
    readonly wallet: string;
    readonly plan: string;
    readonly state: AccountState;
  }): Promise<AccountView | undefined>;
  setState(accountId: number, state: AccountState): Promise<AccountView>;
  /** @throws {RangeError} when there is no such plan */
  setPlan(accountId: number, plan: string): Promise<AccountView>;
  /** Pools of an account and the newest entries of its ledger. */
  credits(accountId: number): Promise<CreditsView>;
  /** With a reference, once: false when it was given before. */
  grant(accountId: number, credits: number, reference: string | undefined): Promise<boolean>;
  /** Gives what was really added or taken: a balance never falls below zero. */
  correct(accountId: number, amount: number): Promise<number>;
  /** Newest first, of entries before one. */
  audit(
    accountId: number,
    page: { readonly before: number | undefined; readonly limit: number },
  ): Promise<readonly AuditRow[]>;
}

/** An account in a list. */
export interface AccountView {
  readonly account_id: number;
  readonly wallet?: string;
  readonly state: AccountState;
  readonly plan: string;
  /** RFC 3339, UTC. */
  readonly created_at: string;
  readonly reset_at?: string;
}

export interface AccountDetails extends AccountView {
  readonly keys: readonly KeyResource[];
  readonly streams: number;
  readonly pools: readonly PoolView[];
}

export interface PoolView {
  /** Absent for the general pool. */
  readonly key_id?: number;
  readonly balance: number;
  readonly capacity: number;
  /** Of the balance: in the hands of processes. */
  readonly leased: number;
}

export interface CreditsView {
  readonly pools: readonly PoolView[];
  /** Newest first. */
  readonly entries: readonly {
    readonly key_id?: number;
    readonly kind: string;
    readonly amount: number;
    readonly at: string;
    readonly reference: string;
  }[];
}

export interface AccountAdminDeps {
  readonly db: AccountsDatabase['db'];
  readonly clock: Pick<Clock, 'now'>;
  readonly plans: Plans;
  readonly ledger: Ledger;
  readonly keys: Pick<AccountKeys, 'list'>;
}

const SHOWN_ENTRIES = 50;
/** Pools of one account: more than any plan allows keys. */
const SHOWN_POOLS = 1_001;

export function createAccountAdmin({ db, clock, plans, ledger, keys }: AccountAdminDeps): AccountAdmin {
  /** Changes an account with what tells of it, alone with it. */
  function change<T>(
    accountId: number,
    run: (transaction: Transaction<AccountsSchema>) => Promise<readonly [T, Pick<AuditEntry, 'action' | 'details'>]>,
  ): Promise<T> {
    return db.transaction().execute(async (transaction) => {
      await lockAccount(transaction, accountId);
      const [result, entry] = await run(transaction);
      await recordChange(transaction, { kind: 'account', accountId }, clock);
      await recordAudit(transaction, { actor: 'operator', accountId, ...entry }, clock);
      return result;
    });
  }

  async function putOnPlan(transaction: Transaction<AccountsSchema>, accountId: number, plan: string): Promise<void> {
    if (plans.find(plan) === undefined)
      throw new RangeError(`there is no plan ${plan}; plans are ${plans.names.join(', ')}`);
    await ledger.changePlan(transaction, accountId, plan);
    if (plan === TRIAL_PLAN) await ledger.grantTrial(transaction, accountId);
  }

  return {
    find: (name) => findByName(db, name),
    async list({ after, limit }) {
      const rows = await db
        .selectFrom('accounts')
        .select(ACCOUNT_COLUMNS)
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(toView);
    },
    show: async (account) => ({
      ...toView(account),
      keys: await keys.list(account.id),
      streams: await countStreams(db, account.id),
      pools: await poolsOf(db, account.id),
    }),
    create: ({ wallet, plan, state }) =>
      db.transaction().execute(async (transaction) => {
        const taken = await transaction
          .selectFrom('accounts')
          .select('id')
          .where('wallet', '=', wallet)
          .executeTakeFirst();
        if (taken !== undefined) return undefined;
        const accountId = await insertAccount(transaction, { wallet, state }, { ledger, clock });
        await putOnPlan(transaction, accountId, plan);
        const details = { wallet, plan, state };
        await recordAudit(transaction, { actor: 'operator', action: 'account.create', accountId, details }, clock);
        return toView(await getAccount(transaction, accountId));
      }),
    setState: (accountId, state) =>
      change(accountId, async (transaction) => {
        const { state: before } = await getAccount(transaction, accountId);
        await transaction.updateTable('accounts').set({ state }).where('id', '=', accountId).execute();
        const view = toView(await getAccount(transaction, accountId));
        return [view, { action: 'account.state', details: { from: before, to: state } }];
      }),
    setPlan: (accountId, plan) =>
      change(accountId, async (transaction) => {
        const { plan: before } = await getAccount(transaction, accountId);
        await putOnPlan(transaction, accountId, plan);
        const view = toView(await getAccount(transaction, accountId));
        return [view, { action: 'account.plan', details: { from: before, to: plan } }];
      }),
    credits: async (accountId) => ({ pools: await poolsOf(db, accountId), entries: await entriesOf(db, accountId) }),
    grant: (accountId, credits, reference) =>
      change(accountId, async (transaction) => {
        const granted = await ledger.grantCredits(transaction, accountId, credits, reference);
        const details = { credits, granted, ...(reference === undefined ? {} : { reference }) };
        return [granted, { action: 'credits.grant', details }];
      }),
    correct: (accountId, amount) =>
      change(accountId, async (transaction) => {
        const applied = await ledger.correctBalance(transaction, accountId, amount);
        return [applied, { action: 'credits.correct', details: { asked: amount, applied } }];
      }),
    audit: (accountId, { before, limit }) => listAudit(db, accountId, { before, limit }),
  };
}

async function findByName(db: Kysely<AccountsSchema>, name: string): Promise<AccountRow | undefined> {
  const accounts = db.selectFrom('accounts').select(ACCOUNT_COLUMNS).orderBy('id').limit(1);
  if (name === 'operator') return accounts.where('wallet', 'is', null).executeTakeFirst();
  if (!/^\d+$/.test(name)) return accounts.where('wallet', '=', name).executeTakeFirst();
  return Number.isSafeInteger(Number(name)) ? accounts.where('id', '=', Number(name)).executeTakeFirst() : undefined;
}

async function getAccount(db: Kysely<AccountsSchema>, id: number): Promise<AccountRow> {
  return db.selectFrom('accounts').select(ACCOUNT_COLUMNS).where('id', '=', id).executeTakeFirstOrThrow();
}

async function poolsOf(db: Kysely<AccountsSchema>, accountId: number): Promise<readonly PoolView[]> {
  const rows = await db
    .selectFrom('pools')
    .select(['key_id', 'balance', 'capacity', 'leased'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .limit(SHOWN_POOLS)
    .execute();
  return rows.map(({ key_id, ...rest }) => ({ ...(key_id === null ? {} : { key_id }), ...rest }));
}

async function entriesOf(db: Kysely<AccountsSchema>, accountId: number): Promise<CreditsView['entries']> {
  const rows = await db
    .selectFrom('ledger')
    .innerJoin('pools', 'pools.id', 'ledger.pool_id')
    .select(['pools.key_id', 'ledger.kind', 'ledger.amount', 'ledger.at', 'ledger.reference'])
    .where('pools.account_id', '=', accountId)
    .orderBy('ledger.id', 'desc')
    .limit(SHOWN_ENTRIES)
    .execute();
  return rows.map(({ key_id, at, ...rest }) => ({
    ...(key_id === null ? {} : { key_id }),
    ...rest,
    at: new Date(at).toISOString(),
  }));
}

function toView({ id, wallet, state, plan, created_at, reset_at }: AccountRow): AccountView {
  return {
    account_id: id,
    ...(wallet === null ? {} : { wallet }),
    state,
    plan,
    created_at: new Date(created_at).toISOString(),
    ...(reset_at === null ? {} : { reset_at: new Date(reset_at).toISOString() }),
  };
}
