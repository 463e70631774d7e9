import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/accounts-engines.ts';
import { useMeterCalls } from '../../../test/support/meter-calls.ts';
import type { Reservation } from './credit-meter.ts';

const ROUTE = 'GET /tokens/{mint}';

describe.each(ENGINES)('ledger meter on $engine', (engine) => {
  const meters = useMeterCalls(engine);
  const { start, customer, take, call, usage } = meters;

  it('asks once, then takes from the lease at once', async () => {
    const principal = await customer(80_000);
    const process = start();
    const first = process.meter.reserve(principal, 'a', ROUTE, 8);
    expect(first).toBeInstanceOf(Promise);
    expect((await first)?.remaining).toBe(79_992);
    expect(await meters.world.pool(principal.poolId)).toMatchObject({ balance: 80_000, leased: 10_000 });
    const second = process.meter.reserve(principal, 'b', ROUTE, 8);
    expect(second).toMatchObject({ cost: 8, remaining: 79_984 });
  });

  it('asks once for all calls of one turn, whichever connections bring them', async () => {
    const principals = await Promise.all(Array.from({ length: 5 }, () => customer(80_000)));
    const process = start();
    const asked = principals.map(async (principal) => {
      await setImmediate();
      return process.meter.reserve(principal, 'a', ROUTE, 8);
    });
    expect((await Promise.all(asked)).map((taken) => taken?.remaining)).toEqual(principals.map(() => 79_992));
    const { db } = meters.world.accounts;
    expect(await db.selectFrom('meters').select('batch').execute()).toEqual([{ batch: 1 }]);
  });

  it('writes again and again what a pool goes on to settle', async () => {
    const principal = await customer(80_000);
    const process = start();
    for (let round = 1; round <= 3; round += 1) {
      await call(process, principal, 8);
      await call(process, principal, 8);
      await process.meter.flush();
      expect((await meters.world.pool(principal.poolId)).balance).toBe(80_000 - round * 16);
    }
  });

  it('charges what was settled, once, and writes it behind', async () => {
    const principal = await customer(80_000);
    const process = start();
    const reservation = await take(process, principal, 8);
    expect(reservation?.settle(8)).toBe(79_992);
    expect(reservation?.settle(0)).toBe(79_992);
    expect((await meters.world.pool(principal.poolId)).balance).toBe(80_000);
    expect(process.meter.unwritten(principal.poolId)).toBe(8);
    await process.meter.flush();
    expect((await meters.world.pool(principal.poolId)).balance).toBe(79_992);
    expect(process.meter.unwritten(principal.poolId)).toBe(0);
  });

  it('writes every 250 ms by itself', async () => {
    const principal = await customer(80_000);
    const process = start();
    await call(process, principal, 8);
    // The writer goes to sleep.
    await setImmediate();
    await meters.world.clock.advance(250);
    await expect.poll(async () => (await meters.world.pool(principal.poolId)).balance).toBe(79_992);
  });

  it('never charges what is not settled, or settled at nothing', async () => {
    const principal = await customer(80_000);
    const process = start();
    await take(process, principal, 40);
    await call(process, principal, 40, 0);
    await process.meter.flush();
    expect((await meters.world.pool(principal.poolId)).balance).toBe(80_000);
  });

  it('spends the last credits one by one, whoever is asked', async () => {
    const principal = await customer(100);
    const all = [start(), start(), start()];
    let admitted = 0;
    for (let round = 0; round < 30; round += 1) {
      if (await call(all[round % 3]!, principal, 8)) admitted += 1;
      await all[round % 3]!.meter.flush();
    }
    expect(admitted).toBe(12);
    expect((await meters.world.pool(principal.poolId)).balance).toBe(4);
    expect(await call(all[0]!, principal, 4)).toBe(true);
    await all[0]!.meter.flush();
    expect(await meters.world.pool(principal.poolId)).toMatchObject({ balance: 0, leased: 0 });
  });

  it('remembers the price that was refused, not one of long ago', async () => {
    const principal = await customer(10);
    const [process, other] = [start(), start()];
    const held = await take(other, principal, 10);
    expect(await call(process, principal, 1)).toBe(false);
    held?.settle(0);
    await other.meter.close();
    await meters.world.clock.advance(1_000);
    expect(await call(process, principal, 40)).toBe(false);
    expect(await call(process, principal, 1)).toBe(true);
  });

  it('leaves to others near zero what a call gave back', async () => {
    const principal = await customer(100);
    const [process, other] = [start(), start()];
    expect(await call(process, principal, 90, 1)).toBe(true);
    await process.meter.flush();
    expect(await meters.world.pool(principal.poolId)).toMatchObject({ balance: 99, leased: 0 });
    expect(await call(other, principal, 99)).toBe(true);
  });

  it('lets one who calls in turn use what the call before gave back', async () => {
    const principal = await customer(10);
    const process = start();
    for (let round = 0; round < 3; round += 1) expect(await call(process, principal, 8, 1)).toBe(true);
    expect(await call(process, principal, 8, 1)).toBe(false);
    expect(process.meter.remaining(principal)).toBe(7);
    expect(await call(process, principal, 7)).toBe(true);
  });

  describe('when credits are not enforced', () => {
    it('refuses nothing, takes what there is, and counts what calls cost', async () => {
      const principal = await customer(50);
      const process = start({ enforce: false });
      for (let each = 0; each < 3; each += 1) expect(await call(process, principal, 40)).toBe(true);
      expect(process.meter.remaining(principal)).toBe(0);
      await process.meter.flush();
      expect(await meters.world.pool(principal.poolId)).toEqual({ balance: 0, capacity: 50, leased: 0 });
      expect(await usage()).toEqual([{ key_id: principal.id, calls: 3, credits: 120 }]);
      expect(process.meter.figures).toMatchObject({ charged: 50, lost: 0 });
    });

    it('refuses nothing either while the database is gone', async () => {
      const principal = await customer(500);
      const process = start({ enforce: false });
      process.fault = 'fails';
      expect(await meters.world.clock.during(call(process, principal, 40))).toBe(true);
      expect(process.meter.reserve(principal, 'b', ROUTE, 40)).not.toBeInstanceOf(Promise);
      process.fault = 'none';
      await meters.world.clock.advance(1_000);
      await process.meter.flush();
      expect((await meters.world.pool(principal.poolId)).balance).toBe(460);
    });
  });

  it('only counts what the operator’s own keys cost', async () => {
    const principal = await customer(0, 'operator');
    const process = start();
    const reservation = process.meter.reserve(principal, 'a', ROUTE, 40);
    expect(reservation).toMatchObject({ cost: 40, remaining: undefined });
    expect((reservation as Reservation).settle(40)).toBeUndefined();
    await process.meter.flush();
    expect(await usage()).toEqual([{ key_id: principal.id, calls: 1, credits: 40 }]);
    expect(await meters.world.pool(principal.poolId)).toMatchObject({ balance: 0 });
  });

  it('obeys at once who takes credits away', async () => {
    const principal = await customer(80_000);
    const process = start();
    await call(process, principal, 8);
    await meters.world.write((it) => meters.world.ledger.correctBalance(it, principal.accountId, -80_000));
    process.meter.refresh(principal.accountId);
    expect(await call(process, principal, 8)).toBe(false);
    expect(process.meter.figures.refused).toBe(1);
    await meters.world.write((it) => meters.world.ledger.grantCredits(it, principal.accountId, 8));
    process.meter.refresh();
    expect(await call(process, principal, 8)).toBe(true);
  });

  it('renews an account with its first call after the period', async () => {
    const principal = { ...(await customer(0)), plan: 'basic' };
    await meters.world.write((it) => meters.world.ledger.changePlan(it, principal.accountId, 'basic'));
    const process = start();
    await call(process, principal, 30);
    const renewal = process.meter.resetAt(principal);
    expect(renewal).toBeGreaterThan(meters.world.clock.now());
    meters.world.clock.leap(31 * 24 * 3_600_000);
    const reservation = await take(process, principal, 8);
    expect(reservation?.settle(8)).toBe(999_992);
    expect(process.meter.resetAt(principal)).toBeGreaterThan(renewal!);
  });

  it('gives back what nobody uses, and everything when it closes', async () => {
    const principal = await customer(80_000);
    const process = start();
    await call(process, principal, 8);
    await meters.world.clock.advance(30_000);
    await process.meter.flush();
    expect(await meters.world.pool(principal.poolId)).toEqual({ balance: 79_992, capacity: 80_000, leased: 0 });
    expect(process.meter.figures).toMatchObject({ leases: 0, leased: 0 });
    await call(process, principal, 8);
    await meters.world.clock.during(process.meter.close());
    expect(await meters.world.pool(principal.poolId)).toEqual({ balance: 79_984, capacity: 80_000, leased: 0 });
    expect(await meters.accounts.db.selectFrom('meters').selectAll().execute()).toEqual([]);
  });

  it('keeps one row of a lease and one entry a day, however often it writes', async () => {
    const principal = await customer(400_000);
    const process = start();
    for (let each = 0; each < 40; each += 1) {
      await call(process, principal, 2_000);
      await meters.world.clock.advance(5_000);
      await process.meter.flush();
    }
    expect(await meters.accounts.db.selectFrom('leases').selectAll().execute()).toHaveLength(1);
    const entries = await meters.accounts.db.selectFrom('ledger').selectAll().where('kind', '=', 'calls').execute();
    expect(entries).toMatchObject([{ amount: -80_000 }]);
  });
});
