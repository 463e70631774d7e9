import { setTimeout } from 'node:timers/promises';
import { sql, type Transaction } from 'kysely';
import { createLedger, type Ledger } from '../../src/accounts/credits/ledger.ts';
import { createLedgerMeter, type LedgerMeter } from '../../src/accounts/credits/ledger-meter.ts';
import { DEFAULT_PLANS, type Plans } from '../../src/accounts/plans.ts';
import type { KeyPrincipal } from '../../src/handlers/caller.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import { type Logger, silentLogger } from '../../src/kernel/log.ts';
import type { AccountsDatabase } from '../../src/store/accounts-db/accounts-db.ts';
import type { AccountsSchema } from '../../src/store/accounts-db/schema.ts';
import { createHandClock, type HandClock } from './hand-clock.ts';
import { randomBytes } from './random.ts';

export type Accounts = Transaction<AccountsSchema>;

/** Accounts with credits in a database, and processes that debit them. */
export interface CreditWorld {
  readonly accounts: AccountsDatabase;
  readonly clock: LeapingClock;
  readonly ledger: Ledger;
  /** Runs in a transaction. */
  write<T>(run: (accounts: Accounts) => Promise<T>): Promise<T>;
  /** An account with a general pool of so many credits. */
  addAccount(credits: number, plan?: string): Promise<number>;
  addKey(accountId: number): Promise<number>;
  /** The key as a key directory would give it. */
  principalOf(keyId: number): Promise<KeyPrincipal>;
  start(options?: Partial<ProcessOptions>): MeterProcess;
  pool(id: number): Promise<PoolState>;
  /** Everything that is wrong with the credits in the database. */
  faults(): Promise<readonly string[]>;
}

export interface LeapingClock extends Pick<HandClock, 'now' | 'elapsed' | 'sleep' | 'advance'> {
  /** Time is over at once: nobody wakes up meanwhile. */
  leap(ms: number): void;
  /** Lets time pass until the promise is settled, for whoever waits for both. */
  during<T>(promise: Promise<T>): Promise<T>;
}

export interface PoolState {
  readonly balance: number;
  readonly capacity: number;
  readonly leased: number;
}

export interface ProcessOptions {
  readonly enforce: boolean;
  readonly plans: Plans;
  readonly log: Logger;
}

/** A process: its meter, its way to the database, and what can happen to it. */
export interface MeterProcess {
  readonly meter: LedgerMeter;
  readonly holder: string;
  /** The end of the next transactions: `fails` before they are committed, `loses the answer` behind. */
  fault: 'none' | 'fails' | 'loses the answer';
  /** Faults that have happened. */
  readonly faultsMet: number;
  /** It stands still until it is thawed, and its database with it. */
  freeze(): void;
  /** Its database does not answer until it is thawed, and the process goes on. */
  hang(): void;
  thaw(): void;
  /** From now on it does nothing any more. */
  kill(): void;
  readonly isDead: boolean;
}

export function createCreditWorld(accounts: AccountsDatabase): CreditWorld {
  const writes = new Set<Promise<unknown>>();
  const clock = createLeapingClock(writes);
  const ledger = createLedger({ clock, plans: DEFAULT_PLANS });
  const { db } = accounts;
  const write: CreditWorld['write'] = (run) => db.transaction().execute(run);
  return {
    accounts,
    clock,
    ledger,
    write,
    addAccount: (credits, plan = 'none') =>
      write(async (transaction) => {
        const values = { wallet: null, state: 'active' as const, plan, created_at: clock.now(), reset_at: null };
        const { id } = await transaction
          .insertInto('accounts')
          .values(values)
          .returning('id')
          .executeTakeFirstOrThrow();
        await ledger.openGeneralPool(transaction, id);
        if (credits > 0) await ledger.grantCredits(transaction, id, credits);
        return id;
      }),
    async addKey(accountId) {
      const hash = randomBytes(32);
      const values = { account_id: accountId, name: 'key', hash, prefix: 'ms_live_', state: 'active' as const };
      const { id } = await db
        .insertInto('api_keys')
        .values({ ...values, created_at: clock.now() })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },
    async principalOf(keyId) {
      const key = await db.selectFrom('api_keys').selectAll().where('id', '=', keyId).executeTakeFirstOrThrow();
      const account = await db
        .selectFrom('accounts')
        .selectAll()
        .where('id', '=', key.account_id)
        .executeTakeFirstOrThrow();
      return {
        id: keyId,
        name: key.name,
        accountId: account.id,
        wallet: undefined,
        accountState: 'active',
        plan: account.plan,
        state: 'active',
        rate: { rps: 20, burst: 40 },
        poolId: await write((transaction) => ledger.poolOf(transaction, keyId)),
      };
    },
    start: (options = {}) => startProcess({ accounts, clock, writes }, options),
    async pool(id) {
      const { balance, capacity, leased } = await db
        .selectFrom('pools')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return { balance, capacity, leased };
    },
    faults() {
      const transaction = db.transaction();
      // Of one moment, whoever writes meanwhile.
      const reading = accounts.engine === 'postgres' ? transaction.setIsolationLevel('repeatable read') : transaction;
      return reading.execute(findFaults);
    },
  };
}

/** Real time for a database to answer in, before time passes again. */
const PATIENCE_MS = 3;
/** Time goes on in such steps while it is advanced. */
const STEP_MS = 250;

/** No time passes while one of `writes` is at the database: how long that takes for real decides nothing. */
function createLeapingClock(writes: ReadonlySet<Promise<unknown>>): LeapingClock {
  const hand = createHandClock();
  let leapt = 0;

  async function advance(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= STEP_MS) {
      await hand.advance(Math.min(STEP_MS, left));
      while (writes.size > 0) await Promise.allSettled(writes);
    }
  }

  return {
    now: () => hand.now() + leapt,
    elapsed: () => hand.elapsed() + leapt,
    sleep: hand.sleep,
    advance,
    leap(ms) {
      leapt += ms;
    },
    async during(promise) {
      let isOver = false;
      const over = promise.finally(() => {
        isOver = true;
      });
      over.catch(() => {});
      await Promise.race([over.catch(() => {}), setTimeout(PATIENCE_MS)]);
      while (!isOver) {
        await advance(50);
        await Promise.race([over.catch(() => {}), setTimeout(PATIENCE_MS)]);
      }
      return over;
    },
  };
}

let started = 0;

interface Surroundings {
  readonly accounts: AccountsDatabase;
  readonly clock: Clock;
  /** Transactions at the database, of all processes. */
  readonly writes: Set<Promise<unknown>>;
}

function startProcess({ accounts, clock, writes }: Surroundings, options: Partial<ProcessOptions>): MeterProcess {
  const { enforce = true, plans = DEFAULT_PLANS, log = silentLogger } = options;
  started += 1;
  const holder = `process ${started}`;
  let isDead = false;
  let faultsMet = 0;
  let gate: Promise<void> | undefined;
  let stands = false;
  let open: () => void = () => {};
  const never = new Promise<never>(() => {});
  const pass = async (): Promise<void> => {
    if (isDead) await never;
    await gate;
    if (isDead) await never;
  };
  const process: MeterProcess = {
    meter: undefined as unknown as LedgerMeter,
    holder,
    fault: 'none',
    get faultsMet() {
      return faultsMet;
    },
    freeze() {
      process.hang();
      stands = true;
    },
    hang() {
      gate ??= new Promise((resolve) => {
        open = resolve;
      });
    },
    thaw() {
      stands = false;
      open();
      gate = undefined;
    },
    kill() {
      isDead = true;
      open();
    },
    get isDead() {
      return isDead;
    },
  };
  const ours: Clock = {
    now: clock.now,
    elapsed: clock.elapsed,
    async sleep(ms, signal) {
      await clock.sleep(ms, signal);
      if (isDead || stands) await pass();
    },
  };
  const meet = (fault: MeterProcess['fault']): void => {
    if (process.fault !== fault) return;
    faultsMet += 1;
    throw new Error(fault);
  };
  const db = new Proxy(accounts.db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name !== 'transaction') return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      return () => ({
        async execute<T>(run: (transaction: Accounts) => Promise<T>): Promise<T> {
          await pass();
          meet('fails');
          const write = target.transaction().execute(run);
          writes.add(write);
          const done = await write.finally(() => writes.delete(write));
          await pass();
          meet('loses the answer');
          return done;
        },
      });
    },
  });
  const meter = createLedgerMeter({ accounts: { ...accounts, db }, clock: ours, log, enforce, plans, holder });
  return Object.assign(process, { meter });
}

/** Checks what must hold of all pools at any moment. */
async function findFaults(accounts: Accounts): Promise<readonly string[]> {
  const pools = await accounts.selectFrom('pools').selectAll().execute();
  const entries = await accounts
    .selectFrom('ledger')
    .select(['pool_id', sql<number>`CAST(sum(amount) AS bigint)`.as('sum')])
    .groupBy('pool_id')
    .execute();
  const leases = await accounts
    .selectFrom('leases')
    .select(['pool_id', sql<number>`CAST(sum(remaining) AS bigint)`.as('sum')])
    .groupBy('pool_id')
    .execute();
  const sumOf = (rows: readonly { pool_id: number; sum: number }[], id: number) =>
    rows.find(({ pool_id }) => pool_id === id)?.sum ?? 0;
  return pools.flatMap(({ id, balance, capacity, leased }) => {
    const faults: string[] = [];
    if (balance !== sumOf(entries, id)) faults.push(`pool ${id}: ${balance}, entries add up to ${sumOf(entries, id)}`);
    if (leased !== sumOf(leases, id)) faults.push(`pool ${id}: ${leased} leased, leases hold ${sumOf(leases, id)}`);
    if (leased < 0 || leased > balance) faults.push(`pool ${id}: ${leased} leased of ${balance}`);
    if (capacity < balance) faults.push(`pool ${id}: ${balance} of a capacity of ${capacity}`);
    return faults;
  });
}
