import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ENGINES, type TestAccounts } from '../../support/accounts-engines.ts';
import { extent } from '../../support/extent.ts';
import { LEASE_OVER_MS } from './campaign-plans.ts';
import { stateFaults } from './ledger-faults.ts';
import { chargedTo, readLedgerState } from './ledger-state.ts';
import type { Spending, Spent } from './spender-process.ts';

const PROCESSES = 4;
const SCRIPT = fileURLToPath(new URL('spender-process.ts', import.meta.url));

/** A pool near zero or with some leases' worth in it, and what each process asks of it at once. */
const trial = fc.record({
  credits: fc.oneof(
    fc.integer({ min: 0, max: 60 }),
    fc.integer({ min: 0, max: 900 }),
    fc.integer({ min: 1_000, max: 9_000 }),
  ),
  processes: fc.array(
    fc.record({
      price: fc.constantFrom(1, 2, 8, 40),
      lanes: fc.integer({ min: 1, max: 8 }),
      freeEvery: fc.integer({ min: 2, max: 9 }),
    }),
    { minLength: PROCESSES, maxLength: PROCESSES },
  ),
});

describe.each(ENGINES)('the last credits of a pool, spent by several processes at once on $engine', ({ open }) => {
  let accounts: TestAccounts;
  let spenders: ChildProcess[] = [];

  beforeEach(async () => {
    accounts = await open();
    spenders = await Promise.all(Array.from({ length: PROCESSES }, () => startSpender(accounts.url)));
  });
  afterEach(async () => {
    await Promise.all(spenders.map(endSpender));
    await accounts.close();
  });

  it('are spent to the last one, and no further', async () => {
    await fc.assert(
      fc.asyncProperty(trial, async ({ credits, processes }) => {
        const pool = await openPool(accounts, credits);
        const together = await Promise.all(
          processes.map((each, index) =>
            spend(spenders[index]!, { ...pool, ...each, keyId: keyOf(pool, index), patienceMs: 400 }),
          ),
        );
        expect(sum(together)).toBeLessThanOrEqual(credits);
        expect(await chargedOf(accounts, pool.poolId)).toEqual({
          charged: sum(together),
          left: credits - sum(together),
        });

        // Credits too few for anybody's price are still there for a cheaper call: no longer than a lease later.
        const rest = {
          ...pool,
          keyId: keyOf(pool, 0),
          price: 1,
          lanes: 1,
          freeEvery: Number.MAX_SAFE_INTEGER,
          patienceMs: LEASE_OVER_MS,
        };
        const last = await spend(spenders[0]!, rest);
        expect(last).toBe(credits - sum(together));
        expect(await chargedOf(accounts, pool.poolId)).toEqual({ charged: credits, left: 0 });
      }),
      { numRuns: extent(1, 4), endOnFailure: true },
    );
  });
});

async function startSpender(url: string): Promise<ChildProcess> {
  const spender = fork(SCRIPT, [url], { execArgv: ['--import', 'tsx'] });
  await once(spender, 'message');
  return spender;
}

async function endSpender(spender: ChildProcess): Promise<void> {
  if (spender.exitCode !== null || spender.signalCode !== null) return;
  const exited = once(spender, 'exit');
  spender.disconnect();
  await exited;
}

/** Tells a process to spend, and gives what it settled. */
function spend(spender: ChildProcess, spending: Spending): Promise<number> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`a process that spends ended with ${code}`));
    spender.once('exit', ended);
    spender.once('message', ({ settled }: Spent) => {
      spender.off('exit', ended);
      resolve(settled);
    });
    spender.send(spending);
  });
}

/** An account with so many credits in its general pool. */
async function openPool({ db }: TestAccounts, credits: number) {
  return db.transaction().execute(async (transaction) => {
    const account = { wallet: null, state: 'active' as const, plan: 'trial', created_at: 0, reset_at: null };
    const { id: accountId } = await transaction
      .insertInto('accounts')
      .values(account)
      .returning('id')
      .executeTakeFirstOrThrow();
    const { id: poolId } = await transaction
      .insertInto('pools')
      .values({ account_id: accountId, key_id: null, balance: credits, capacity: credits, leased: 0 })
      .returning('id')
      .executeTakeFirstOrThrow();
    const entry = { kind: 'grant' as const, amount: credits, at: 0, reference: 'first' };
    await transaction
      .insertInto('ledger')
      .values({ pool_id: poolId, account_id: accountId, ...entry })
      .execute();
    return { accountId, poolId };
  });
}

/** Of one process in one account. */
function keyOf({ accountId }: { readonly accountId: number }, process: number): number {
  return accountId * PROCESSES + process;
}

async function chargedOf(accounts: TestAccounts, poolId: number) {
  const state = await readLedgerState(accounts);
  expect(stateFaults(state)).toEqual([]);
  const pool = state.pools.get(poolId);
  return { charged: chargedTo(pool), left: pool?.balance };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
