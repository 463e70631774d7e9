import { describe, expect, it } from 'vitest';
import { ChainFollower } from '../../test/support/chain-follower.ts';
import { encodeSignature } from '../chain/keys/base58.ts';
import type { Clock } from '../kernel/clock.ts';
import { failingJournal } from '../kernel/journal.ts';
import { silentLogger } from '../kernel/log.ts';
import { createSimulatorSource, FIRST_SIMULATED_SLOT } from './simulator.ts';
import { confirmedBlocks } from './source.ts';

/** Time that passes only in sleep. */
function manualClock(startMs: number): Clock {
  let elapsed = 0;
  return {
    now: () => startMs + elapsed,
    elapsed: () => elapsed,
    sleep: (ms) => {
      elapsed += ms;
      return Promise.resolve();
    },
  };
}

interface Seen {
  readonly slot: number;
  readonly parentSlot: number;
  readonly blockTime: number | null;
  readonly signatures: readonly string[];
  readonly at: number;
}

async function take(
  count: number,
  fromSlot: number | undefined,
  clock: Clock = manualClock(1_800_000_000_000),
): Promise<Seen[]> {
  const source = createSimulatorSource({
    seed: 1,
    load: 'desk',
    clock,
    log: silentLogger,
    journal: failingJournal,
    slotMs: 200,
    historySlots: 10,
  });
  const controller = new AbortController();
  const seen: Seen[] = [];
  for await (const { slot, parentSlot, blockTime, transactions } of confirmedBlocks(source, {
    fromSlot,
    signal: controller.signal,
  })) {
    const signatures = transactions.map(({ signature }) => encodeSignature(signature));
    seen.push({ slot, parentSlot, blockTime, signatures, at: clock.elapsed() });
    if (seen.length === count) controller.abort();
  }
  return seen;
}

describe('the simulator as a source', () => {
  it('makes the same chain again, slot after slot', async () => {
    const first = await take(30, undefined);
    expect(await take(30, undefined)).toEqual(first);
    expect(first[0]?.slot).toBe(FIRST_SIMULATED_SLOT);
    for (const [place, { parentSlot }] of first.slice(1).entries()) expect(parentSlot).toBe(first[place]!.slot);
    expect(first.flatMap(({ signatures }) => signatures).length).toBeGreaterThan(0);
  });

  it('brings its history at once and then keeps the pace of the clock', async () => {
    for (const { slot, at, blockTime } of await take(30, undefined)) {
      const place = slot - FIRST_SIMULATED_SLOT;
      expect(at).toBe(Math.max(0, (place - 10) * 200));
      expect(blockTime).toBe(1_800_000_000 - 2 + Math.floor((place * 200) / 1_000));
    }
  });

  it('goes on after a restart right behind the store, without history and with other transactions', async () => {
    const first = await take(20, undefined);
    const second = await take(20, FIRST_SIMULATED_SLOT + 500);
    expect(second[0]).toMatchObject({
      slot: FIRST_SIMULATED_SLOT + 500,
      parentSlot: FIRST_SIMULATED_SLOT + 499,
      at: 0,
    });
    expect(second[0]?.blockTime).toBe(1_800_000_000);
    const before = new Set(first.flatMap(({ signatures }) => signatures));
    for (const { signatures } of second) for (const signature of signatures) expect(before.has(signature)).toBe(false);
  });

  it('gives processed blocks at once and confirms each when two more stand on it', async () => {
    const source = createSimulatorSource({
      seed: 1,
      load: 'desk',
      commitment: 'processed',
      clock: manualClock(1_800_000_000_000),
      log: silentLogger,
      journal: failingJournal,
      slotMs: 200,
      historySlots: 10,
    });
    const follower = new ChainFollower();
    const controller = new AbortController();
    const waiting: number[] = [];
    for await (const step of source.steps({ fromSlot: undefined, signal: controller.signal })) {
      follower.follow(step);
      if (step.kind === 'confirmed') waiting.push(follower.stack.length);
      if (waiting.length === 10) controller.abort();
    }
    expect(waiting).toEqual(Array(10).fill(2));
    expect(follower.confirmed).toHaveLength(10);
  });
});
