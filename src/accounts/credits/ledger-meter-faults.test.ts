import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/accounts-engines.ts';
import { useMeterCalls } from '../../../test/support/meter-calls.ts';
import type { KeyPrincipal } from '../../handlers/caller.ts';
import { DEFAULT_PLANS, type Plan } from '../plans.ts';

describe.each(ENGINES)('ledger meter in trouble on $engine', (engine) => {
  const meters = useMeterCalls(engine);
  const { start, customer, take, call, usage, takeBack } = meters;

  it('charges a settlement once whose answer was lost', async () => {
    const principal = await customer(80_000);
    const process = start();
    await call(process, principal, 8);
    process.fault = 'loses the answer';
    await expect(process.meter.flush()).rejects.toThrow('loses the answer');
    process.fault = 'none';
    await call(process, principal, 8);
    const written = process.meter.flush();
    await meters.world.clock.advance(500);
    await written;
    expect((await meters.world.pool(principal.poolId)).balance).toBe(79_984);
    expect(await usage()).toEqual([{ key_id: principal.id, calls: 2, credits: 16 }]);
  });

  describe('a process that stood still', () => {
    it('does not debit from its dead lease: what it still owes is paid from what is free', async () => {
      const principal = await customer(80_000);
      const process = start();
      const late = await take(process, principal, 40);
      process.freeze();
      await takeBack();
      late?.settle(40);
      process.thaw();
      expect(process.meter.reserve(principal, 'b', 'GET /tokens/{mint}', 1)).toBeInstanceOf(Promise);
      await process.meter.flush();
      expect((await meters.world.pool(principal.poolId)).balance).toBe(79_960);
      expect(process.meter.figures.lost).toBe(0);
    });

    it('loses what nobody can pay any more, and says so', async () => {
      const principal = await customer(80_000);
      const process = start();
      const late = await take(process, principal, 40);
      process.freeze();
      await takeBack();
      await meters.world.write((it) => meters.world.ledger.correctBalance(it, principal.accountId, -79_990));
      late?.settle(40);
      process.thaw();
      await process.meter.flush();
      expect((await meters.world.pool(principal.poolId)).balance).toBe(0);
      expect(process.meter.figures).toMatchObject({ lost: 30, charged: 10, unwritten: 0 });
      expect(await usage()).toEqual([{ key_id: principal.id, calls: 1, credits: 10 }]);
    });
  });

  it('has its debt paid by the account’s other pools, so that moving credits is no way to call for nothing', async () => {
    const principal = await customer(2_000);
    const other = await meters.world.addKey(principal.accountId);
    const process = start();
    expect(await call(process, principal, 40)).toBe(true);
    await meters.world.write((it) => meters.world.ledger.openBudgetPool(it, other, 2_000));
    await process.meter.flush();
    expect(process.meter.figures.lost).toBe(0);
    expect(await meters.world.pool((await meters.world.principalOf(other)).poolId)).toMatchObject({ balance: 1_960 });
  });

  it('costs the operator what was settled since the last write when it is killed, and the customer nothing', async () => {
    const principal = await customer(80_000);
    const process = start();
    for (let each = 0; each < 3; each += 1) await call(process, principal, 100);
    await process.meter.flush();
    await call(process, principal, 7);
    process.kill();
    expect(await meters.world.pool(principal.poolId)).toEqual({ balance: 79_700, capacity: 80_000, leased: 9_700 });
    await takeBack();
    expect(await meters.world.pool(principal.poolId)).toEqual({ balance: 79_700, capacity: 80_000, leased: 0 });
  });

  describe('without its database', () => {
    it('goes on while the lease lasts, then refuses with a failure, and charges all of it later', async () => {
      const principal = await customer(80_000);
      const process = start();
      await call(process, principal, 8);
      process.fault = 'fails';
      for (let second = 0; second < 50; second += 1) {
        await meters.world.clock.advance(1_000);
        expect(await call(process, principal, 8)).toBe(true);
      }
      expect(process.meter.alarms().map(({ code }) => code)).toEqual(['credits_unwritten']);
      expect(process.meter.unwritten(principal.poolId)).toBe(408);
      await meters.world.clock.advance(6_000);
      await expect(meters.world.clock.during(call(process, principal, 8))).rejects.toThrow('fails');
      process.fault = 'none';
      await meters.world.clock.advance(6_000);
      expect(await meters.world.clock.during(call(process, principal, 8))).toBe(true);
      await process.meter.flush();
      expect((await meters.world.pool(principal.poolId)).balance).toBe(80_000 - 52 * 8);
      await meters.world.clock.advance(5_000);
      expect(process.meter.alarms()).toEqual([]);
    });

    it('gives back what it got too late for anybody to use', async () => {
      const principal = await customer(80_000);
      const process = start();
      process.fault = 'loses the answer';
      await expect(meters.world.clock.during(call(process, principal, 8))).rejects.toThrow('loses the answer');
      await meters.world.clock.advance(30_000);
      process.fault = 'none';
      await meters.world.clock.advance(1_000);
      await process.meter.flush();
      expect(await meters.world.pool(principal.poolId)).toMatchObject({ balance: 80_000, leased: 0 });
    });

    it('writes what was counted of more keys than one statement takes', async () => {
      const keys = Array.from({ length: 12_000 }, (_, index) => index + 1);
      const principal = await customer(0, 'operator');
      const process = start();
      for (const id of keys) (await take(process, { ...principal, id }, 1))?.settle(1);
      await process.meter.flush();
      expect(await usage()).toHaveLength(keys.length);
    });

    it('does not make a call wait longer than two seconds', async () => {
      const principal = await customer(80_000);
      const process = start();
      process.freeze();
      const waiting = call(process, principal, 8);
      waiting.catch(() => {});
      await meters.world.clock.advance(2_500);
      process.thaw();
      await expect(waiting).rejects.toThrow('too long');
    });
  });

  describe('when the database refuses what one pool has to write', () => {
    /** Says that nothing is leased, so that what a lease gives up cannot be taken off. */
    async function poison({ poolId }: KeyPrincipal, leased = 0): Promise<void> {
      await meters.accounts.db.updateTable('pools').set({ leased }).where('id', '=', poolId).execute();
    }

    it('writes what others owe, says so, and writes the rest once the row is right', async () => {
      const principals = [await customer(80_000), await customer(80_000), await customer(80_000)];
      const poisoned = principals[1]!;
      const process = start();
      for (const principal of principals) await call(process, principal, 100);
      await process.meter.flush();
      await poison(poisoned);
      for (const principal of principals) await call(process, principal, 8);
      await process.meter.flush();
      const balances = async () =>
        Promise.all(principals.map(async ({ poolId }) => (await meters.world.pool(poolId)).balance));
      expect(await balances()).toEqual([79_892, 79_900, 79_892]);
      expect(process.meter.unwritten(poisoned.poolId)).toBe(8);
      await meters.world.clock.advance(5_000);
      expect(process.meter.alarms().map(({ code }) => code)).toEqual(['credits_refused']);

      for (const principal of principals) expect(await call(process, principal, 1)).toBe(true);
      await process.meter.flush();
      expect(await balances()).toEqual([79_891, 79_900, 79_891]);
      await poison(poisoned, 9_900);
      await meters.world.clock.advance(6_000);
      await process.meter.flush();
      expect(await balances()).toEqual([79_891, 79_891, 79_891]);
      await meters.world.clock.advance(5_000);
      expect(process.meter.alarms()).toEqual([]);
      expect(await usage()).toEqual(principals.map(({ id }) => ({ key_id: id, calls: 3, credits: 109 })));
    });

    it('takes back leases of others all the same', async () => {
      const [poisoned, well] = [await customer(80_000), await customer(80_000)];
      const process = start();
      for (const principal of [poisoned, well]) await call(process, principal, 8);
      await process.meter.flush();
      process.kill();
      await poison(poisoned);
      await expect(takeBack()).rejects.toThrow('pools_leased_of_balance');
      expect(await meters.world.pool(well.poolId)).toMatchObject({ balance: 79_992, leased: 0 });
      await poison(poisoned, 9_992);
    });

    it('renews others when one account cannot be renewed, which goes on with what it has', async () => {
      const { world } = meters;
      const wrong: Plan = { ...DEFAULT_PLANS.get('pro'), monthlyCredits: Number.NaN };
      const plans = { ...DEFAULT_PLANS, find: (name: string) => (name === 'pro' ? wrong : DEFAULT_PLANS.find(name)) };
      const [poisoned, well] = [await customer(0), await customer(0)];
      await world.write((it) => world.ledger.changePlan(it, poisoned.accountId, 'pro'));
      await world.write((it) => world.ledger.changePlan(it, well.accountId, 'basic'));
      const process = start({ plans });
      for (const principal of [poisoned, well]) await call(process, principal, 8);
      world.clock.leap(31 * 24 * 3_600_000);
      const calls = [poisoned, well].map((principal) => take(process, principal, 8));
      const [late, renewed] = await world.clock.during(Promise.all(calls));
      expect([late?.settle(8), renewed?.settle(8)]).toEqual([4_999_984, 999_992]);
      await process.meter.flush();
    });

    it('refuses its calls with a failure once its lease is over, and no others', async () => {
      const [well, poisoned] = [await customer(80_000), await customer(80_000)];
      const process = start();
      for (const principal of [well, poisoned]) await call(process, principal, 8);
      await process.meter.flush();
      await poison(poisoned);
      for (let second = 0; second < 60; second += 1) {
        await meters.world.clock.advance(1_000);
        for (const principal of [well, poisoned])
          await meters.world.clock.during(call(process, principal, 1).catch(() => false));
      }
      await expect(meters.world.clock.during(call(process, poisoned, 1))).rejects.toThrow();
      expect(await meters.world.clock.during(call(process, well, 1))).toBe(true);
      await poison(poisoned, 9_992);
      await meters.world.clock.advance(6_000);
      expect(await meters.world.clock.during(call(process, poisoned, 1))).toBe(true);
    });

    it('does not write it twice when it was written, and only what became of it cannot be read', async () => {
      const [well, poisoned] = [await customer(80_000), await customer(80_000)];
      const process = start();
      for (const principal of [well, poisoned]) await call(process, principal, 8);
      process.fault = 'loses the answer';
      await expect(process.meter.flush()).rejects.toThrow('loses the answer');
      process.fault = 'none';
      const lease = {
        id: 'of nobody',
        pool_id: poisoned.poolId,
        holder: 'nobody',
        remaining: 70_000,
        expires_at: 0,
      };
      await meters.accounts.db.insertInto('leases').values(lease).execute();
      for (const principal of [well, poisoned]) await call(process, principal, 1);
      await meters.world.clock.during(process.meter.flush());
      expect((await meters.world.pool(well.poolId)).balance).toBe(79_991);
      expect((await meters.world.pool(poisoned.poolId)).balance).toBe(79_992);
      await meters.accounts.db.deleteFrom('leases').where('id', '=', lease.id).execute();
      await meters.world.clock.advance(6_000);
      await process.meter.flush();
      expect((await meters.world.pool(poisoned.poolId)).balance).toBe(79_991);
    });
  });
});
