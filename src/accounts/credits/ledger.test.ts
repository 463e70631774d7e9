import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ENGINES, type TestAccounts } from '../../../test/support/accounts-engines.ts';
import { type CreditWorld, createCreditWorld } from '../../../test/support/credit-world.ts';
import { ApiError } from '../../contract/errors.ts';
import { DEFAULT_PLANS } from '../plans.ts';
import { sweepCredits } from './credit-sweeps.ts';
import { createLedger, type Ledger } from './ledger.ts';

const DAY = 24 * 3_600_000;
const MONTHLY = { none: 0, trial: 0, basic: 1_000_000, pro: 5_000_000 } as const;

describe.each(ENGINES)('ledger on $engine', ({ open }) => {
  let accounts: TestAccounts;
  let world: CreditWorld;
  let ledger: Ledger;
  beforeEach(async () => {
    accounts = await open();
    world = createCreditWorld(accounts);
    ({ ledger } = world);
  });
  afterEach(async () => {
    expect(await world.faults()).toEqual([]);
    await accounts.close();
  });

  const write: CreditWorld['write'] = (run) => world.write(run);
  const general = async (accountId: number) => world.pool(await write((it) => ledger.openGeneralPool(it, accountId)));
  const own = async (keyId: number) => world.pool(await write((it) => ledger.poolOf(it, keyId)));
  const account = (id: number) =>
    accounts.db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  /** Does the same from two processes, several times at once. Gives how often it said yes. */
  async function atOnce(
    run: (ledger: Ledger, transaction: Parameters<Parameters<typeof write>[0]>[0]) => Promise<boolean>,
  ) {
    const another = await accounts.openAnother();
    const other = createLedger({ clock: world.clock, plans: DEFAULT_PLANS });
    const all = await Promise.all(
      [0, 1, 2, 3, 4, 5].map((each) =>
        each % 2 === 0 ? write((it) => run(ledger, it)) : another.db.transaction().execute((it) => run(other, it)),
      ),
    );
    return all.filter(Boolean).length;
  }

  it('grants a trial once, whoever grants it at the same time', async () => {
    const id = await world.addAccount(0, 'trial');
    expect(await atOnce((its, transaction) => its.grantTrial(transaction, id))).toBe(1);
    expect(await general(id)).toEqual({ balance: 200_000, capacity: 200_000, leased: 0 });
  });

  it('grants what has a reference once', async () => {
    const id = await world.addAccount(0);
    expect(await atOnce((its, transaction) => its.grantCredits(transaction, id, 70, 'invoice 7'))).toBe(1);
    expect((await general(id)).balance).toBe(70);
  });

  it('corrects a balance, never below zero, and leases with it', async () => {
    const id = await world.addAccount(50_000);
    const key = await world.addKey(id);
    const process = world.start();
    await process.meter.reserve(await world.principalOf(key), 'a', 'GET /x', 8);
    expect((await general(id)).leased).toBeGreaterThan(0);
    expect(await write((it) => ledger.correctBalance(it, id, -80_000))).toBe(-50_000);
    expect(await general(id)).toEqual({ balance: 0, capacity: 0, leased: 0 });
    expect(await write((it) => ledger.correctBalance(it, id, 9))).toBe(9);
    expect(await write((it) => ledger.correctBalance(it, id, 0))).toBe(0);
    process.kill();
  });

  it('renews once for a period, whoever renews at the same time, and skips periods that nobody used', async () => {
    const id = await world.addAccount(300);
    await write((it) => ledger.changePlan(it, id, 'basic'));
    expect((await general(id)).balance).toBe(1_000_300);
    expect(await atOnce((its, transaction) => its.renew(transaction, id))).toBe(0);
    world.clock.leap(100 * DAY);
    expect(await atOnce((its, transaction) => its.renew(transaction, id))).toBe(1);
    expect(await general(id)).toEqual({ balance: 1_000_000, capacity: 1_000_000, leased: 0 });
    const { reset_at } = await account(id);
    expect(reset_at).toBeGreaterThan(world.clock.now());
    expect(reset_at).toBeLessThanOrEqual(world.clock.now() + 31 * DAY);
  });

  it('lets what a plan has given stay until its period ends, and then ends with it', async () => {
    const id = await world.addAccount(0);
    await write((it) => ledger.changePlan(it, id, 'pro'));
    await write((it) => ledger.changePlan(it, id, 'none'));
    expect((await general(id)).balance).toBe(5_000_000);
    world.clock.leap(31 * DAY);
    expect(await write((it) => ledger.renew(it, id))).toBe(true);
    expect(await general(id)).toEqual({ balance: 0, capacity: 0, leased: 0 });
    expect(await account(id)).toMatchObject({ reset_at: null, anchor_at: null });
    expect(await write((it) => ledger.renew(it, id))).toBe(false);
  });

  it('gives the largest plan of a period once, however often the plan changes', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('none', 'trial', 'basic', 'pro'), { maxLength: 8 }), async (plans) => {
        const id = await world.addAccount(0);
        for (const plan of plans) await write((it) => ledger.changePlan(it, id, plan));
        const given = Math.max(0, ...plans.map((plan) => MONTHLY[plan]));
        expect((await general(id)).balance).toBe(given);
        world.clock.leap(31 * DAY);
        await write((it) => ledger.renew(it, id));
        const last = plans.at(-1) ?? 'none';
        expect((await general(id)).balance).toBe(MONTHLY[last]);
      }),
      { numRuns: 12 },
    ));

  it('does not know a plan that is not there, and keeps the credits of one that is gone', async () => {
    const id = await world.addAccount(40);
    await expect(write((it) => ledger.changePlan(it, id, 'gold'))).rejects.toThrow(RangeError);
    await accounts.db.updateTable('accounts').set({ plan: 'gold', reset_at: 1 }).where('id', '=', id).execute();
    expect(await write((it) => ledger.renew(it, id))).toBe(false);
    expect((await general(id)).balance).toBe(40);
  });

  it('moves a budget out of the general pool and back, what was used with it', async () => {
    const id = await world.addAccount(1_000);
    const key = await world.addKey(id);
    await write((it) => ledger.openBudgetPool(it, key, 400));
    expect(await own(key)).toEqual({ balance: 400, capacity: 400, leased: 0 });
    const process = world.start();
    const principal = await world.principalOf(key);
    (await process.meter.reserve(principal, 'a', 'GET /x', 150))?.settle(150);
    await process.meter.close();
    await write((it) => ledger.changeBudget(it, key, 300));
    expect(await own(key)).toEqual({ balance: 150, capacity: 300, leased: 0 });
    await write((it) => ledger.changeBudget(it, key, 600));
    expect(await own(key)).toEqual({ balance: 450, capacity: 600, leased: 0 });
    await write((it) => ledger.closeBudgetPool(it, key));
    expect(await general(id)).toEqual({ balance: 850, capacity: 1_000, leased: 0 });
    expect((await world.principalOf(key)).poolId).not.toBe(principal.poolId);
  });

  it('refuses a budget that the general pool has not, and changes nothing', async () => {
    const id = await world.addAccount(100);
    const key = await world.addKey(id);
    const refused = await write((it) => ledger.openBudgetPool(it, key, 101)).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ApiError);
    expect(refused).toMatchObject({ code: 'credits_exhausted', details: { cost: 101, remaining: 100 } });
    expect(await general(id)).toMatchObject({ balance: 100 });
    expect((await accounts.db.selectFrom('api_keys').select('budget').executeTakeFirstOrThrow()).budget).toBeNull();
  });

  it('fills budgets at a renewal in the order of keys, as far as the plan reaches', async () => {
    const id = await world.addAccount(0);
    const keys = [await world.addKey(id), await world.addKey(id), await world.addKey(id)];
    await write((it) => ledger.changePlan(it, id, 'pro'));
    for (const key of keys.toReversed()) await write((it) => ledger.openBudgetPool(it, key, 700_000));
    await write((it) => ledger.changePlan(it, id, 'basic'));
    world.clock.leap(31 * DAY);
    expect(await sweepCredits({ accounts, ledger, plans: DEFAULT_PLANS, clock: world.clock })).toBe(false);
    expect(await Promise.all(keys.map(async (key) => (await own(key)).balance))).toEqual([700_000, 300_000, 0]);
    expect(await general(id)).toEqual({ balance: 0, capacity: 0, leased: 0 });
  });

  it('moves budgets without making or losing a credit', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(2), fc.option(fc.integer({ min: 1, max: 900 }), { nil: undefined })), {
          maxLength: 12,
        }),
        async (changes) => {
          const id = await world.addAccount(1_000);
          const keys = [await world.addKey(id), await world.addKey(id), await world.addKey(id)];
          const budgets = [0, 0, 0];
          for (const [at, budget] of changes) {
            const sum = budgets.reduce((total, each) => total + each, 0) - budgets[at]! + (budget ?? 0);
            const change = write(async (it) => {
              if (budget === undefined) await ledger.closeBudgetPool(it, keys[at]!);
              else await ledger.changeBudget(it, keys[at]!, budget);
            });
            if (sum > 1_000) await expect(change).rejects.toThrow(ApiError);
            else await change;
            if (sum <= 1_000) budgets[at] = budget ?? 0;
          }
          const left = 1_000 - budgets.reduce((total, each) => total + each, 0);
          expect(await general(id)).toEqual({ balance: left, capacity: left, leased: 0 });
        },
      ),
      { numRuns: 12 },
    ));

  it('lets usage go after 90 days, some hours at a time', async () => {
    const hour = 3_600_000;
    const last = world.clock.now() - (world.clock.now() % hour) - 90 * DAY;
    const row = (at: number) => ({ account_id: 1, key_id: 1, route: 'GET /x', hour: at, calls: 1, credits: 1 });
    const rows = Array.from({ length: 30 }, (_, index) => row(last - (index - 2) * hour));
    await accounts.db.insertInto('usage').values(rows).execute();
    while (await sweepCredits({ accounts, ledger, plans: DEFAULT_PLANS, clock: world.clock }));
    const kept = await accounts.db.selectFrom('usage').select('hour').orderBy('hour').execute();
    expect(kept.map((each) => each.hour)).toEqual([last + hour, last + 2 * hour]);
  });
});
