import { describe, expect, it } from 'vitest';
import type { Clock } from '../kernel/clock.ts';
import { createCallGate } from './call-gate.ts';
import { createCallLimit } from './call-limit.ts';
import { RpcLineFull } from './rpc-errors.ts';

const ANSWERED = { kind: 'answered' } as const;

/** A clock whose sleepers wait until they are woken. */
function createHandClock() {
  let now = 0;
  const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();
  const clock: Clock = {
    now: () => now,
    elapsed: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const sleeper = {
          until: now + ms,
          wake() {
            sleepers.delete(sleeper);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', sleeper.wake, { once: true });
      }),
  };
  return {
    clock,
    get asleep() {
      return sleepers.size;
    },
    async pass(ms: number) {
      now += ms;
      for (const { until, wake } of sleepers) if (until <= now) wake();
      await settled();
    },
  };
}

/** Everything that waits for nothing but promises has happened. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function setUp({ initial = 2, maxWaiting = 10 } = {}) {
  const hand = createHandClock();
  const gate = createCallGate({
    limit: createCallLimit({ initial, random: () => 0.5 }),
    clock: hand.clock,
    maxWaiting,
  });
  const entered: string[] = [];
  const enter = (name: string, { again = false, patient = false, signal = new AbortController().signal } = {}) =>
    gate.enter(signal, { again, patient }).then((ticket) => {
      entered.push(name);
      return ticket;
    });
  return { hand, gate, entered, enter };
}

describe('the gate before a node', () => {
  it('lets callers in by turns, as many at once as the limit says', async () => {
    const { gate, entered, enter } = setUp({ initial: 1 });
    const tickets = ['a', 'b', 'c'].map((name) => enter(name));
    await settled();
    expect(entered).toEqual(['a']);
    expect(gate.waiting).toBe(2);
    gate.leave(await tickets[0]!, ANSWERED);
    await settled();
    expect(entered).toEqual(['a', 'b', 'c']);
  });

  it('holds everybody back when the node says wait to one, and then lets one ask for all', async () => {
    const { hand, gate, entered, enter } = setUp();
    const a = await enter('a');
    const b = await enter('b');
    const others = ['c', 'd', 'e'].map((name) => enter(name));
    gate.leave(a, { kind: 'throttled', afterMs: 5_000 });
    gate.leave(b, { kind: 'throttled', afterMs: 0 });
    await hand.pass(4_999);
    expect(entered).toEqual(['a', 'b']);
    await hand.pass(1);
    expect(entered).toEqual(['a', 'b', 'c']);
    gate.leave(await others[0]!, ANSWERED);
    await settled();
    expect(entered).toEqual(['a', 'b', 'c', 'd']);
  });

  it('makes a pause longer that is on already', async () => {
    const { hand, gate, entered, enter } = setUp();
    const a = await enter('a');
    const b = await enter('b');
    void enter('c');
    gate.leave(a, { kind: 'throttled', afterMs: 1_000 });
    await hand.pass(500);
    gate.leave(b, { kind: 'throttled', afterMs: 3_000 });
    await hand.pass(600);
    expect(entered).not.toContain('c');
    await hand.pass(2_400);
    expect(entered).toContain('c');
  });

  it('lets those that come back go before those that never had a turn', async () => {
    const { hand, gate, entered, enter } = setUp({ initial: 1 });
    const a = await enter('a');
    void enter('b');
    gate.leave(a, { kind: 'throttled', afterMs: 1_000 });
    void enter('a', { again: true });
    await hand.pass(1_000);
    expect(entered).toEqual(['a', 'a']);
  });

  it('lets the patient go only when nobody else waits', async () => {
    const { gate, entered, enter } = setUp({ initial: 1 });
    const a = await enter('a');
    const p = enter('p', { patient: true });
    void enter('q', { patient: true });
    void enter('again p', { patient: true, again: true });
    const b = enter('b');
    gate.leave(a, { kind: 'abandoned' });
    gate.leave(await b, { kind: 'abandoned' });
    await settled();
    expect(entered).toEqual(['a', 'b', 'again p']);
    expect(gate.waiting).toBe(2);
    void p;
  });

  it('refuses callers when too many wait', async () => {
    const { entered, enter } = setUp({ initial: 1, maxWaiting: 2 });
    await enter('a');
    void enter('b');
    void enter('c');
    await expect(enter('d')).rejects.toBeInstanceOf(RpcLineFull);
    expect(entered).toEqual(['a']);
  });

  it('forgets who goes away, sleeps for nobody, and keeps the pause for who comes later', async () => {
    const { hand, gate, entered, enter } = setUp({ initial: 1 });
    const gone = new AbortController();
    gate.leave(await enter('a'), { kind: 'throttled', afterMs: 1_000 });
    expect(hand.asleep).toBe(0);
    const left = enter('b', { signal: gone.signal });
    expect(hand.asleep).toBe(1);
    gone.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    expect(hand.asleep).toBe(0);
    await expect(enter('b', { signal: gone.signal })).rejects.toThrow('gone');
    void enter('c');
    await hand.pass(999);
    expect(entered).toEqual(['a']);
    await hand.pass(1);
    expect(entered).toEqual(['a', 'c']);
  });
});
