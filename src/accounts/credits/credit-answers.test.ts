import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ENGINES, type TestAccounts } from '../../../test/support/accounts-engines.ts';
import { answerFaults } from '../../../test/support/answer-schema.ts';
import { type CreditWorld, createCreditWorld, type MeterProcess } from '../../../test/support/credit-world.ts';
import type { KeyPrincipal } from '../../handlers/caller.ts';
import { DEFAULT_PLANS } from '../plans.ts';
import { getBalance, listUsage } from './contract.ts';
import { type CreditAnswers, createCreditAnswers, percentUsed, warningOf } from './credit-answers.ts';

const HOUR = 3_600_000;

describe('warnings', () => {
  it.each([
    [1_000, 1_000, 0, null],
    [501, 1_000, 49, null],
    [500, 1_000, 50, 'used_50'],
    [42, 100, 58, 'used_50'],
    [71, 100, 29, null],
    [201, 1_000, 79, 'used_50'],
    [200, 1_000, 80, 'used_80'],
    [51, 1_000, 94, 'used_80'],
    [50, 1_000, 95, 'used_95'],
    [1, 1_000_000, 99, 'used_95'],
    [0, 1_000, 100, 'exhausted'],
    [0, 0, 100, 'exhausted'],
  ])('%i left of %i: %i percent used, %s', (remaining, capacity, percent, warning) => {
    expect(percentUsed(remaining, capacity)).toBe(percent);
    expect(warningOf(remaining, percent)).toBe(warning);
  });
});

describe.each(ENGINES)('balance and usage on $engine', ({ open }) => {
  let accounts: TestAccounts;
  let world: CreditWorld;
  let process: MeterProcess;
  let answers: CreditAnswers;
  beforeEach(async () => {
    accounts = await open();
    world = createCreditWorld(accounts);
    process = world.start();
    const { ledger, clock } = world;
    const { meter } = process;
    answers = createCreditAnswers({ accounts, meter, ledger, plans: DEFAULT_PLANS, enforce: true, clock });
  });
  afterEach(async () => {
    process.kill();
    await accounts.close();
  });

  async function call(principal: KeyPrincipal, cost: number, route = 'GET /x'): Promise<void> {
    (await process.meter.reserve(principal, 'request', route, cost))?.settle(cost);
  }

  async function balanceOf(principal: KeyPrincipal, key: KeyPrincipal | undefined = principal) {
    const balance = await answers.balance(principal, key);
    expect(answerFaults(getBalance, balance)).toEqual([]);
    return balance;
  }

  it('tells what is left, with what is not written yet', async () => {
    const principal = await world.principalOf(await world.addKey(await world.addAccount(200_000, 'trial')));
    await call(principal, 100_000);
    expect(await balanceOf(principal)).toEqual({
      pool: 'general',
      key_id: principal.id,
      remaining: 100_000,
      capacity: 200_000,
      pct_used: 50,
      warning: 'used_50',
      plan: 'trial',
      reset_at: null,
      rate_limit: principal.rate,
      enforced: true,
    });
    await call(principal, 100_000);
    expect(await balanceOf(principal)).toMatchObject({ remaining: 0, warning: 'exhausted' });
  });

  it('tells of a key’s own pool, and of the general one in a session', async () => {
    const accountId = await world.addAccount(1_000);
    const key = await world.addKey(accountId);
    await world.write((it) => world.ledger.changePlan(it, accountId, 'basic'));
    await world.write((it) => world.ledger.openBudgetPool(it, key, 300));
    const principal = await world.principalOf(key);
    await call(principal, 240);
    expect(await balanceOf(principal)).toMatchObject({ pool: 'dedicated', remaining: 60, pct_used: 80, plan: 'basic' });
    const { key_id, ...general } = await answers.balance(principal, undefined);
    expect(key_id).toBeUndefined();
    expect(general).toMatchObject({ pool: 'general', remaining: 1_000_700, rate_limit: { rps: 20, burst: 40 } });
    expect(Date.parse(general.reset_at ?? '')).toBeGreaterThan(world.clock.now());
  });

  it('renews an account whose period is over before it tells', async () => {
    const accountId = await world.addAccount(70);
    await world.write((it) => world.ledger.changePlan(it, accountId, 'basic'));
    const principal = await world.principalOf(await world.addKey(accountId));
    world.clock.leap(40 * 24 * HOUR);
    expect(await balanceOf(principal)).toMatchObject({ remaining: 1_000_000, pct_used: 0, warning: null });
  });

  it('tells the largest number of a key without a bound', async () => {
    const principal = await world.principalOf(await world.addKey(await world.addAccount(0, 'operator')));
    const boundless = { remaining: 9_007_199_254_740_991, capacity: 9_007_199_254_740_991, warning: null };
    expect(await balanceOf(principal)).toMatchObject({ ...boundless, pct_used: 0, plan: 'operator', reset_at: null });
  });

  it('sums usage by route, key and hour, of the window alone', async () => {
    const accountId = await world.addAccount(10_000);
    const [one, two] = [await world.addKey(accountId), await world.addKey(accountId)];
    const [first, second] = [await world.principalOf(one), await world.principalOf(two)];
    const stranger = await world.principalOf(await world.addKey(await world.addAccount(100)));
    const began = world.clock.now() - (world.clock.now() % HOUR);
    await call(stranger, 3);
    await call(first, 8, 'GET /old');
    world.clock.leap(24 * HOUR);
    await call(first, 1, 'GET /a');
    await call(second, 40, 'GET /b');
    world.clock.leap(HOUR);
    await call(first, 1, 'GET /a');
    const time = (hours: number) => new Date(began + hours * HOUR).toISOString();
    expect(await answers.usage(accountId, '24h', 'route')).toEqual([
      { key: 'GET /b', calls: 1, credits: 40 },
      { key: 'GET /a', calls: 2, credits: 2 },
    ]);
    expect(await answers.usage(accountId, '7d', 'key')).toEqual([
      { key: String(two), calls: 1, credits: 40 },
      { key: String(one), calls: 3, credits: 10 },
    ]);
    const byHour = await answers.usage(accountId, '30d', 'hour');
    expect(byHour).toEqual([
      { key: time(0), calls: 1, credits: 8 },
      { key: time(24), calls: 2, credits: 41 },
      { key: time(25), calls: 1, credits: 1 },
    ]);
    expect(answerFaults(listUsage, { data: byHour })).toEqual([]);
  });

  it('tells a long window again after five seconds', async () => {
    const principal = await world.principalOf(await world.addKey(await world.addAccount(10_000)));
    const { accountId } = principal;
    expect(await answers.usage(accountId, '7d', 'route')).toEqual([]);
    await call(principal, 8);
    expect(await answers.usage(accountId, '7d', 'route')).toEqual([]);
    expect(await answers.usage(accountId, '24h', 'route')).toHaveLength(1);
    await world.clock.advance(5_000);
    expect(await answers.usage(accountId, '7d', 'route')).toHaveLength(1);
  });

  it('says that credits cannot be asked for while the ledger is gone', async () => {
    const principal = await world.principalOf(await world.addKey(await world.addAccount(10_000)));
    await call(principal, 8);
    process.fault = 'fails';
    await expect(answers.balance(principal, principal)).rejects.toMatchObject({ code: 'credits_unavailable' });
    await expect(world.clock.during(answers.usage(principal.accountId, '24h', 'key'))).rejects.toMatchObject({
      code: 'credits_unavailable',
    });
  });
});
