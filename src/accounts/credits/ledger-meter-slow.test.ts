import { describe, expect, it, vi } from 'vitest';
import { ENGINES } from '../../../test/support/accounts-engines.ts';
import { useMeterCalls } from '../../../test/support/meter-calls.ts';
import { WRITE_EVERY_MS } from './credit-writer.ts';
import { MAX_WRITE_MS } from './write-watch.ts';

/** For a real database on a slow machine, milliseconds. */
const PATIENCE = { timeout: 30_000, interval: 5 };

describe.each(ENGINES)('ledger meter on $engine whose write takes long', (engine) => {
  const meters = useMeterCalls(engine);
  const { start, customer, call } = meters;

  /** A lease in hand, and a write that its database does not answer. */
  async function stall() {
    const principal = await customer(80_000);
    const process = start();
    await call(process, principal, 8);
    await process.meter.flush();
    await call(process, principal, 8);
    process.hang();
    await meters.world.clock.advance(WRITE_EVERY_MS);
    return { principal, process };
  }

  it('lets calls debit for a second and holds new ones back then, until something is written', async () => {
    const { principal, process } = await stall();
    await meters.world.clock.advance(MAX_WRITE_MS);
    expect(await call(process, principal, 8)).toBe(true);
    await meters.world.clock.advance(1);
    await expect(call(process, principal, 8)).rejects.toThrow('takes too long');
    process.thaw();
    await meters.world.clock.during(process.meter.flush());
    expect(await call(process, principal, 8)).toBe(true);
    await process.meter.flush();
    expect((await meters.world.pool(principal.poolId)).balance).toBe(80_000 - 4 * 8);
  });

  it('holds calls back by the age of what is unwritten: what settled in a slow write waits for the next one, too', async () => {
    const { principal, process } = await stall();
    await meters.world.clock.advance(900);
    expect(await call(process, principal, 8)).toBe(true);
    process.thaw();
    await vi.waitFor(() => expect(process.meter.figures.writingMs).toBeUndefined(), PATIENCE);
    process.hang();
    // The first write began 900 ms ago, and nothing that settled since is written.
    await meters.world.clock.advance(300);
    expect(await call(process, principal, 8)).toBe(true);
    await meters.world.clock.advance(100);
    await expect(call(process, principal, 8)).rejects.toThrow('takes too long');
    process.thaw();
    await meters.world.clock.during(process.meter.flush());
    expect(await call(process, principal, 8)).toBe(true);
  });

  it('holds them back as well while it is tried again in vain, and goes on once it is written, as an alarm says', async () => {
    const { principal, process } = await stall();
    await meters.world.clock.advance(5_000);
    process.fault = 'fails';
    process.thaw();
    await meters.world.clock.advance(10_000);
    expect(process.meter.alarms().map(({ code }) => code)).toEqual(['credits_unwritten']);
    await expect(call(process, principal, 8)).rejects.toThrow('takes too long');
    process.fault = 'none';
    await meters.world.clock.during(process.meter.flush().catch(() => process.meter.flush()));
    expect(await call(process, principal, 8)).toBe(true);
  });

  it('refuses nobody whose calls are only counted, or have no bound', async () => {
    const { process } = await stall();
    const unbounded = await customer(0, 'operator');
    const counting = start({ enforce: false });
    const counted = await customer(80_000);
    await call(counting, counted, 8);
    await counting.meter.flush();
    await call(counting, counted, 8);
    counting.hang();
    await meters.world.clock.advance(3_000);
    expect(await call(process, unbounded, 8)).toBe(true);
    expect(await call(counting, counted, 8)).toBe(true);
    for (const each of [process, counting]) each.thaw();
  });
});
