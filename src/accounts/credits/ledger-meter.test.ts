import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ENGINES, type TestAccounts } from '../../../test/support/accounts-engines.ts';
import { type CreditWorld, createCreditWorld, type MeterProcess } from '../../../test/support/credit-world.ts';
import type { KeyHolder } from '../caller.ts';
import { DEFAULT_PLANS } from '../plans.ts';
import type { Reservation } from './credit-meter.ts';
import { sweepCredits } from './credit-sweeps.ts';

const ROUTE = 'GET /tokens/{mint}';

describe.each(ENGINES)('ledger meter on $engine', ({ open }) => {
  let accounts: TestAccounts;
  let world: CreditWorld;
  let processes: MeterProcess[] = [];
  beforeEach(async () => {
    accounts = await open();
    world = createCreditWorld(accounts);
    processes = [];
  });
  afterEach(async () => {
    const closing = processes.filter(({ isDead }) => !isDead).map(({ meter }) => meter.close());
    await world.clock.advance(2_000);
    await Promise.all(closing);
    expect(await world.faults()).toEqual([]);
    await accounts.close();
  });

  function start(options?: Parameters<CreditWorld['start']>[0]): MeterProcess {
    const process = world.start(options);
    processes.push(process);
    return process;
  }

  async function customer(credits: number, plan?: string): Promise<KeyHolder> {
    return world.holderOf(await world.addKey(await world.addAccount(credits, plan)));
  }

  async function take({ meter }: MeterProcess, holder: KeyHolder, cost: number): Promise<Reservation | undefined> {
    return meter.reserve(holder, 'request', ROUTE, cost);
  }

  /** A whole call. Gives whether it was let in. */
  async function call(process: MeterProcess, holder: KeyHolder, cost: number, charged = cost): Promise<boolean> {
    const reservation = await take(process, holder, cost);
    reservation?.settle(charged);
    return reservation !== undefined;
  }

  it('asks once, then takes from the lease at once', async () => {
    const holder = await customer(80_000);
    const process = start();
    const first = process.meter.reserve(holder, 'a', ROUTE, 8);
    expect(first).toBeInstanceOf(Promise);
    expect((await first)?.remaining).toBe(79_992);
    expect(await world.pool(holder.poolId)).toMatchObject({ balance: 80_000, leased: 10_000 });
    const second = process.meter.reserve(holder, 'b', ROUTE, 8);
    expect(second).toMatchObject({ cost: 8, remaining: 79_984 });
  });

  it('charges what was settled, once, and writes it behind', async () => {
    const holder = await customer(80_000);
    const process = start();
    const reservation = await take(process, holder, 8);
    expect(reservation?.settle(8)).toBe(79_992);
    expect(reservation?.settle(0)).toBe(79_992);
    expect((await world.pool(holder.poolId)).balance).toBe(80_000);
    expect(process.meter.unwritten(holder.poolId)).toBe(8);
    await process.meter.flush();
    expect((await world.pool(holder.poolId)).balance).toBe(79_992);
    expect(process.meter.unwritten(holder.poolId)).toBe(0);
  });
  it('writes every 250 ms by itself', async () => {
    const holder = await customer(80_000);
    const process = start();
    await call(process, holder, 8);
    await world.clock.advance(250);
    await expect.poll(async () => (await world.pool(holder.poolId)).balance).toBe(79_992);
  });

  it('never charges what is not settled, or settled at nothing', async () => {
    const holder = await customer(80_000);
    const process = start();
    await take(process, holder, 40);
    await call(process, holder, 40, 0);
    await process.meter.flush();
    expect((await world.pool(holder.poolId)).balance).toBe(80_000);
  });

  it('charges a batch once whose answer was lost', async () => {
    const holder = await customer(80_000);
    const process = start();
    await call(process, holder, 8);
    process.fault = 'loses the answer';
    await expect(process.meter.flush()).rejects.toThrow('loses the answer');
    process.fault = 'none';
    await call(process, holder, 8);
    const written = process.meter.flush();
    await world.clock.advance(500);
    await written;
    expect((await world.pool(holder.poolId)).balance).toBe(79_984);
    expect(await usage()).toEqual([{ key_id: holder.id, calls: 2, credits: 16 }]);
  });

  async function usage() {
    return accounts.db.selectFrom('usage').select(['key_id', 'calls', 'credits']).execute();
  }

  it('spends the last credits one by one, whoever is asked', async () => {
    const holder = await customer(100);
    const all = [start(), start(), start()];
    let admitted = 0;
    for (let round = 0; round < 30; round += 1) {
      if (await call(all[round % 3]!, holder, 8)) admitted += 1;
      await all[round % 3]!.meter.flush();
    }
    expect(admitted).toBe(12);
    expect((await world.pool(holder.poolId)).balance).toBe(4);
    expect(await call(all[0]!, holder, 4)).toBe(true);
    await all[0]!.meter.flush();
    expect(await world.pool(holder.poolId)).toMatchObject({ balance: 0, leased: 0 });
  });

  it('lets one who calls in turn use what the call before gave back', async () => {
    const holder = await customer(10);
    const process = start();
    for (let round = 0; round < 3; round += 1) expect(await call(process, holder, 8, 1)).toBe(true);
    expect(await call(process, holder, 8, 1)).toBe(false);
    expect(process.meter.remaining(holder)).toBe(7);
    expect(await call(process, holder, 7)).toBe(true);
  });

  /** Nobody held it for so long that its lease is over, by every margin. */
  async function takeBack(): Promise<void> {
    world.clock.leap(80_000);
    await sweepCredits({ accounts, ledger: world.ledger, plans: DEFAULT_PLANS, clock: world.clock });
    expect(await accounts.db.selectFrom('leases').selectAll().execute()).toEqual([]);
  }

  describe('a process that stood still', () => {
    it('does not debit from its dead lease: what it still owes is paid from what is free', async () => {
      const holder = await customer(80_000);
      const process = start();
      const late = await take(process, holder, 40);
      process.freeze();
      await takeBack();
      late?.settle(40);
      process.thaw();
      expect(process.meter.reserve(holder, 'b', ROUTE, 1)).toBeInstanceOf(Promise);
      await process.meter.flush();
      expect((await world.pool(holder.poolId)).balance).toBe(79_960);
      expect(process.meter.figures.lost).toBe(0);
    });

    it('loses what nobody can pay any more, and says so', async () => {
      const holder = await customer(80_000);
      const process = start();
      const late = await take(process, holder, 40);
      process.freeze();
      await takeBack();
      await world.write((it) => world.ledger.correctBalance(it, holder.accountId, -79_990));
      late?.settle(40);
      process.thaw();
      await process.meter.flush();
      expect((await world.pool(holder.poolId)).balance).toBe(0);
      expect(process.meter.figures).toMatchObject({ lost: 30, charged: 10, unwritten: 0 });
      expect(await usage()).toEqual([{ key_id: holder.id, calls: 1, credits: 10 }]);
    });
  });

  it('has its debt paid by the account’s other pools, so that moving credits is no way to call for nothing', async () => {
    const holder = await customer(2_000);
    const other = await world.addKey(holder.accountId);
    const process = start();
    expect(await call(process, holder, 40)).toBe(true);
    await world.write((it) => world.ledger.openBudgetPool(it, other, 2_000));
    await process.meter.flush();
    expect(process.meter.figures.lost).toBe(0);
    expect(await world.pool((await world.holderOf(other)).poolId)).toMatchObject({ balance: 1_960 });
  });

  it('costs the operator what was settled since the last write when it is killed, and the customer nothing', async () => {
    const holder = await customer(80_000);
    const process = start();
    for (let each = 0; each < 3; each += 1) await call(process, holder, 100);
    await process.meter.flush();
    await call(process, holder, 7);
    process.kill();
    expect(await world.pool(holder.poolId)).toEqual({ balance: 79_700, capacity: 80_000, leased: 9_700 });
    await takeBack();
    expect(await world.pool(holder.poolId)).toEqual({ balance: 79_700, capacity: 80_000, leased: 0 });
  });

  describe('without its database', () => {
    it('goes on while the lease lasts, then refuses with a failure, and charges all of it later', async () => {
      const holder = await customer(80_000);
      const process = start();
      await call(process, holder, 8);
      process.fault = 'fails';
      for (let second = 0; second < 50; second += 1) {
        await world.clock.advance(1_000);
        expect(await call(process, holder, 8)).toBe(true);
      }
      expect(process.meter.alarms().map(({ code }) => code)).toEqual(['credits_unwritten']);
      expect(process.meter.unwritten(holder.poolId)).toBe(408);
      await world.clock.advance(6_000);
      await expect(world.clock.during(call(process, holder, 8))).rejects.toThrow('fails');
      process.fault = 'none';
      await world.clock.advance(6_000);
      expect(await world.clock.during(call(process, holder, 8))).toBe(true);
      await process.meter.flush();
      expect((await world.pool(holder.poolId)).balance).toBe(80_000 - 52 * 8);
      await world.clock.advance(5_000);
      expect(process.meter.alarms()).toEqual([]);
    });

    it('does not make a call wait longer than two seconds', async () => {
      const holder = await customer(80_000);
      const process = start();
      process.freeze();
      const waiting = call(process, holder, 8);
      waiting.catch(() => {});
      await world.clock.advance(2_500);
      process.thaw();
      await expect(waiting).rejects.toThrow('too long');
    });
  });

  describe('when credits are not enforced', () => {
    it('refuses nothing, takes what there is, and counts what calls cost', async () => {
      const holder = await customer(50);
      const process = start({ enforce: false });
      for (let each = 0; each < 3; each += 1) expect(await call(process, holder, 40)).toBe(true);
      expect(process.meter.remaining(holder)).toBe(0);
      await process.meter.flush();
      expect(await world.pool(holder.poolId)).toEqual({ balance: 0, capacity: 50, leased: 0 });
      expect(await usage()).toEqual([{ key_id: holder.id, calls: 3, credits: 120 }]);
    });

    it('refuses nothing either while the database is gone', async () => {
      const holder = await customer(500);
      const process = start({ enforce: false });
      process.fault = 'fails';
      expect(await world.clock.during(call(process, holder, 40))).toBe(true);
      expect(process.meter.reserve(holder, 'b', ROUTE, 40)).not.toBeInstanceOf(Promise);
      process.fault = 'none';
      await world.clock.advance(1_000);
      await process.meter.flush();
      expect((await world.pool(holder.poolId)).balance).toBe(460);
    });
  });

  it('only counts what the operator’s own keys cost', async () => {
    const holder = await customer(0, 'operator');
    const process = start();
    const reservation = process.meter.reserve(holder, 'a', ROUTE, 40);
    expect(reservation).toMatchObject({ cost: 40, remaining: undefined });
    expect((reservation as Reservation).settle(40)).toBeUndefined();
    await process.meter.flush();
    expect(await usage()).toEqual([{ key_id: holder.id, calls: 1, credits: 40 }]);
    expect(await world.pool(holder.poolId)).toMatchObject({ balance: 0 });
  });

  it('obeys at once who takes credits away', async () => {
    const holder = await customer(80_000);
    const process = start();
    await call(process, holder, 8);
    await world.write((it) => world.ledger.correctBalance(it, holder.accountId, -80_000));
    process.meter.refresh(holder.accountId);
    expect(await call(process, holder, 8)).toBe(false);
    expect(process.meter.figures.refused).toBe(1);
    await world.write((it) => world.ledger.grantCredits(it, holder.accountId, 8));
    process.meter.refresh();
    expect(await call(process, holder, 8)).toBe(true);
  });

  it('renews an account with its first call after the period', async () => {
    const holder = { ...(await customer(0)), plan: 'basic' };
    await world.write((it) => world.ledger.changePlan(it, holder.accountId, 'basic'));
    const process = start();
    await call(process, holder, 30);
    const renewal = process.meter.resetAt(holder);
    expect(renewal).toBeGreaterThan(world.clock.now());
    world.clock.leap(31 * 24 * 3_600_000);
    const reservation = await take(process, holder, 8);
    expect(reservation?.settle(8)).toBe(999_992);
    expect(process.meter.resetAt(holder)).toBeGreaterThan(renewal!);
  });

  it('gives back what nobody uses, and everything when it closes', async () => {
    const holder = await customer(80_000);
    const process = start();
    await call(process, holder, 8);
    await world.clock.advance(30_000);
    await process.meter.flush();
    expect(await world.pool(holder.poolId)).toEqual({ balance: 79_992, capacity: 80_000, leased: 0 });
    expect(process.meter.figures).toMatchObject({ leases: 0, leased: 0 });
    await call(process, holder, 8);
    await world.clock.during(process.meter.close());
    expect(await world.pool(holder.poolId)).toEqual({ balance: 79_984, capacity: 80_000, leased: 0 });
    expect(await accounts.db.selectFrom('meters').selectAll().execute()).toEqual([]);
  });

  it('keeps one row of a lease and one entry a day, however often it writes', async () => {
    const holder = await customer(400_000);
    const process = start();
    for (let each = 0; each < 40; each += 1) {
      await call(process, holder, 2_000);
      await world.clock.advance(5_000);
      await process.meter.flush();
    }
    expect(await accounts.db.selectFrom('leases').selectAll().execute()).toHaveLength(1);
    const entries = await accounts.db.selectFrom('ledger').selectAll().where('kind', '=', 'calls').execute();
    expect(entries).toMatchObject([{ amount: -80_000 }]);
  });
});
