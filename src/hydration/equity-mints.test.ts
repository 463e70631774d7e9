import { afterEach, describe, expect, it } from 'vitest';
import { createHandClock } from '../../test/support/hand-clock.ts';
import type { Address } from '../chain/address.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../chain/well-known.ts';
import { silentLogger } from '../kernel/log.ts';
import { EQUITIES } from '../programs/registry/index.ts';
import { encodeMint } from '../simulator/equities/encode-mint.ts';
import { createEquityMints, type EquityMints } from './equity-mints.ts';

const MINTS = EQUITIES.slice(0, 250).map(({ mint }) => mint);
const [first, second] = MINTS as [Address, Address];
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let reader: EquityMints | undefined;
afterEach(async () => {
  await reader?.stop();
  reader = undefined;
});

/** A node on which somebody issues and burns. */
function node() {
  const calls: (readonly Address[])[] = [];
  const supplies = new Map<Address, bigint>(MINTS.map((mint, place) => [mint, BigInt(place) * 1_000n]));
  const scaled = { multiplier: 1.5, nextFrom: 1_790_000_600n, nextMultiplier: 3 };
  const state = { owner: TOKEN_2022_PROGRAM as Address, refuse: (_keys: readonly Address[]): void => {} };
  return {
    ...{ calls, supplies, state },
    async call(method: string, [keys]: readonly unknown[]) {
      const asked = keys as readonly Address[];
      expect(method).toBe('getMultipleAccounts');
      calls.push(asked);
      state.refuse(asked);
      const value = asked.map((mint) => {
        const supply = supplies.get(mint);
        if (supply === undefined) return null;
        const data = encodeMint({ supply, decimals: 8, scaling: mint === second ? scaled : undefined });
        return { owner: state.owner, data: [data.toString('base64'), 'base64'] };
      });
      return { context: { slot: 5 }, value };
    },
  };
}

function open(rpc: ReturnType<typeof node>) {
  const clock = createHandClock();
  reader = createEquityMints({ rpc, mints: MINTS, clock, log: silentLogger });
  return { clock, mints: reader };
}

describe('mints of equities', () => {
  it('are read a hundred at a time, at once and every five minutes', async () => {
    const rpc = node();
    const { clock, mints } = open(rpc);
    const startedAt = clock.now();
    await clock.advance(0);
    expect(rpc.calls.map(({ length }) => length)).toEqual([100, 100, 50]);
    expect(rpc.calls.flat()).toEqual(MINTS);
    expect(mints.mintOf(MINTS[249]!)).toEqual({
      ...{ supply: 249_000n, decimals: 8, scaling: undefined, readAt: startedAt },
    });
    expect(mints.mintOf(second)?.scaling).toEqual({ multiplier: 1.5, nextFrom: 1_790_000_600n, nextMultiplier: 3 });
    rpc.supplies.set(first, 77n);
    await clock.advance(4 * MINUTE_MS);
    expect(mints.mintOf(first)?.supply).toBe(0n);
    await clock.advance(MINUTE_MS);
    expect(mints.mintOf(first)).toMatchObject({ supply: 77n, readAt: startedAt + 5 * MINUTE_MS });
    expect(rpc.calls).toHaveLength(6);
  });

  it('that are closed, or no mints, are unknown', async () => {
    const rpc = node();
    const { clock, mints } = open(rpc);
    await clock.advance(1);
    rpc.supplies.delete(first);
    await clock.advance(5 * MINUTE_MS);
    expect(mints.mintOf(first)).toBeUndefined();
    expect(mints.mintOf(second)).toBeDefined();
    rpc.state.owner = SYSTEM_PROGRAM;
    await clock.advance(5 * MINUTE_MS);
    expect(mints.mintOf(second)).toBeUndefined();
  });

  it('keep what was read last, with its age, while the node is away, and are tried less and less often', async () => {
    const rpc = node();
    const { clock, mints } = open(rpc);
    await clock.advance(1);
    const readAt = mints.mintOf(first)!.readAt;
    rpc.state.refuse = () => {
      throw new Error('away');
    };
    rpc.calls.length = 0;
    await clock.advance(2 * HOUR_MS);
    // The longest pause is ten minutes, the shortest half of ten seconds.
    expect(rpc.calls.length / 3).toBeGreaterThan(12);
    expect(rpc.calls.length / 3).toBeLessThan(40);
    expect(mints.mintOf(first)).toMatchObject({ supply: 0n, readAt });
    expect(mints.alarms().map(({ code }) => code)).toEqual(['equity_mints_unread']);
    rpc.state.refuse = () => {};
    await clock.advance(10 * MINUTE_MS);
    expect(mints.mintOf(first)!.readAt).toBeGreaterThan(readAt);
    expect(mints.alarms()).toEqual([]);
  });

  it('of one call are read though another is refused', async () => {
    const rpc = node();
    rpc.state.refuse = (keys) => {
      if (keys.includes(first)) throw new Error('too many');
    };
    const { clock, mints } = open(rpc);
    await clock.advance(1);
    expect(mints.mintOf(first)).toBeUndefined();
    expect(mints.mintOf(MINTS[100]!)).toBeDefined();
    expect(mints.mintOf(MINTS[249]!)).toBeDefined();
  });

  it('are asked for no more when it is stopped', async () => {
    const rpc = node();
    const { clock, mints } = open(rpc);
    await mints.stop();
    await clock.advance(HOUR_MS);
    expect(rpc.calls.length).toBeLessThanOrEqual(1);
  });
});
