import fc from 'fast-check';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/simulator/random.ts';
import { ENGINES, type TestAccounts } from '../../support/accounts-engines.ts';
import { createCallTally } from './call-tally.ts';
import { intervalFaults, lostDebits, stateFaults } from './ledger-faults.ts';
import { readLedgerState } from './ledger-state.ts';
import { createPlainMeter, type MeterDefect, type PlainKey } from './plain-meter.ts';
import { refusalFault } from './refusal.ts';

const PRICES = [1, 2, 8, 40];
/** Statuses of answers, and the share of a price that each charges. */
const ENDS = [
  { status: 200, share: 1 },
  { status: 404, share: 0 },
  { status: 500, share: 0 },
] as const;
const BALANCES = [60, 500, 100_000];

/** Every defect of a meter, and what the checker calls it. */
const DEFECTS: Readonly<Record<MeterDefect, RegExp>> = {
  'batch written twice': /the customer lost/,
  'takes what is not there': /given away/,
  'nothing checks the balance': /the balance is -/,
  'charges refused runs': /the customer lost/,
  'settled debits are dropped': /given away/,
  'balance moves without an entry': /the ledger adds up to/,
  'usage is not written': /usage says 0 credits/,
  'usage counts twice': /usage counts \d+ calls of/,
  'what was taken is not given back': /refused, with/,
  'refuses what is there': /refused, with/,
};

let accounts: TestAccounts | undefined;
afterEach(async () => {
  await accounts?.close();
  accounts = undefined;
});

describe.each(ENGINES)('the checker of credits on $engine', ({ open }) => {
  it('finds nothing wrong with a meter that does what it should', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1 }), fc.boolean(), async (seed, dies) => {
        accounts = await open();
        expect(await faultsOf(accounts, { seed, dies, defect: undefined })).toEqual([]);
        await accounts.close();
        accounts = undefined;
      }),
      { numRuns: 5 },
    );
  });

  it('misses what was told and not written, unless a process died with it', async () => {
    accounts = await open();
    const faults = await faultsOf(accounts, { seed: 'dies', dies: true, defect: undefined, excused: false });
    expect(faults.join('\n')).toMatch(/given away/);
  });
});

describe('the checker of credits', () => {
  const sqlite = ENGINES.find(({ engine }) => engine === 'sqlite');

  for (const [defect, found] of Object.entries(DEFECTS) as [MeterDefect, RegExp][]) {
    it(`finds: ${defect}`, async () => {
      accounts = await sqlite!.open();
      // Faults that the database itself would refuse must be found as well: it is the checker that is on trial.
      await sql`PRAGMA ignore_check_constraints = ON`.execute(accounts.db);
      const faults = await faultsOf(accounts, { seed: defect, dies: false, defect });
      expect(faults.join('\n')).toMatch(found);
    });
  }

  it('finds a trial that was granted twice', async () => {
    accounts = await sqlite!.open();
    const [key] = await fill(accounts);
    await addEntry(accounts, key!, { kind: 'trial', amount: 0, reference: 'once more' });
    await addEntry(accounts, key!, { kind: 'trial', amount: 0, reference: 'and once more' });
    expect(stateFaults(await readLedgerState(accounts)).join('\n')).toMatch(/more than once/);
  });

  it('finds credits that came without an entry, and an entry without credits', async () => {
    accounts = await sqlite!.open();
    const [key] = await fill(accounts);
    const before = await readLedgerState(accounts);
    await addEntry(accounts, key!, { kind: 'grant', amount: 10, reference: 'a gift' });
    const after = await readLedgerState(accounts);
    expect(stateFaults(after).join('\n')).toMatch(/the ledger adds up to 70, the balance is 60/);
    const tally = createCallTally(() => 0).takeInterval();
    expect(intervalFaults({ before, after, tally, mayBeLost: new Map() }).join('\n')).toMatch(/0 came to the balance/);
  });

  it('finds more leased than there is, and leases that hold something else than is leased', async () => {
    accounts = await sqlite!.open();
    await sql`PRAGMA ignore_check_constraints = ON`.execute(accounts.db);
    await fill(accounts);
    await accounts.db.updateTable('pools').set({ leased: 61 }).where('balance', '=', 60).execute();
    const faults = stateFaults(await readLedgerState(accounts)).join('\n');
    expect(faults).toMatch(/61 are leased of 60/);
    expect(faults).toMatch(/61 are leased, and its leases hold 0/);
  });
});

interface Trial {
  readonly seed: string;
  /** It dies before the last write, with what was settled since the one before. */
  readonly dies: boolean;
  readonly defect: MeterDefect | undefined;
  /** True when credits that died with it may be lost. */
  readonly excused?: boolean;
}

/** Has some hundred calls paid for by the plain meter, and everything that the checker says of it. */
async function faultsOf(database: TestAccounts, { seed, dies, defect, excused = dies }: Trial): Promise<string[]> {
  const random = createRandom(seed);
  const keys = await fill(database);
  const meter = createPlainMeter(database.db, defect);
  const tally = createCallTally(() => 0);
  const before = await readLedgerState(database);
  const spent = new Map<number, number>();
  const faults: string[] = [];
  for (let call = 0; call < 120; call += 1) {
    const key = random.pick(keys);
    const price = random.pick(PRICES);
    const { status, share } = random.pick(ENDS);
    const free = before.pools.get(key.poolId)!.balance;
    const open = tally.begin({ keyId: key.id, poolId: key.poolId, server: 'plain', price });
    const taken = await meter.reserve(key, price);
    if (taken === undefined) {
      open.answered(402, 0);
      const claimedByOthers = spent.get(key.poolId) ?? 0;
      faults.push(refusalFault({ poolId: key.poolId, price, free, freeShare: 1, claimedByOthers }) ?? '');
    } else {
      const cost = status === 404 ? 1 : price * share;
      taken.settle(cost);
      open.answered(status, cost);
      spent.set(key.poolId, (spent.get(key.poolId) ?? 0) + cost);
    }
    // Between two writes what was taken still counts as such, at its whole price: each call waits for its own.
    if (call < 119 || !dies) await meter.write();
  }
  if (dies) await meter.die();
  const interval = { before, after: await readLedgerState(database), tally: tally.takeInterval() };
  const mayBeLost = excused ? lostDebits(interval) : new Map<number, number>();
  faults.push(...stateFaults(interval.after), ...intervalFaults({ ...interval, mayBeLost }));
  return faults.filter((fault) => fault !== '');
}

/** An account for each balance, with a key. */
async function fill({ db }: TestAccounts): Promise<PlainKey[]> {
  const keys: PlainKey[] = [];
  for (const balance of BALANCES) {
    const account = { wallet: null, state: 'active' as const, plan: 'trial', created_at: 0, reset_at: null };
    const { id: accountId } = await db.insertInto('accounts').values(account).returning('id').executeTakeFirstOrThrow();
    const pool = { account_id: accountId, key_id: null, balance, capacity: balance, leased: 0 };
    const { id: poolId } = await db.insertInto('pools').values(pool).returning('id').executeTakeFirstOrThrow();
    const entry = { kind: 'grant' as const, amount: balance, at: 0, reference: 'first' };
    await db
      .insertInto('ledger')
      .values({ pool_id: poolId, account_id: accountId, ...entry })
      .execute();
    keys.push({ id: 100 + accountId, accountId, poolId });
  }
  return keys;
}

async function addEntry(
  { db }: TestAccounts,
  { poolId, accountId }: PlainKey,
  entry: { readonly kind: 'trial' | 'grant'; readonly amount: number; readonly reference: string },
): Promise<void> {
  await db
    .insertInto('ledger')
    .values({ pool_id: poolId, account_id: accountId, at: 0, ...entry })
    .execute();
}
