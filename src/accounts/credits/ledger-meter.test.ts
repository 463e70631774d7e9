import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ENGINES, type TestAccounts } from '../../../test/support/accounts-engines.ts';
import { type CreditWorld, createCreditWorld, type MeterProcess } from '../../../test/support/credit-world.ts';
import type { KeyHolder } from '../caller.ts';
import type { Reservation } from './credit-meter.ts';

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
});
