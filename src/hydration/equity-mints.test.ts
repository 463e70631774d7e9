import { afterEach, describe, expect, it } from 'vitest';
import { createHandClock } from '../../test/support/hand-clock.ts';
import type { Address } from '../chain/address.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../chain/well-known.ts';
import type { LastKnown } from '../kernel/last-known.ts';
import { silentLogger } from '../kernel/log.ts';
import { EQUITIES } from '../programs/registry/index.ts';
import { encodeMint } from '../simulator/equities/encode-mint.ts';
import { createEquityMints, type EquityMints, type KeptMint } from './equity-mints.ts';

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
  const since: (number | undefined)[] = [];
  const supplies = new Map<Address, bigint>(MINTS.map((mint, place) => [mint, BigInt(place) * 1_000n]));
  const scaled = { multiplier: 1.5, nextFrom: 1_790_000_600n, nextMultiplier: 3 };
  const state = {
    slot: 5,
    spare: 0,
    owner: TOKEN_2022_PROGRAM as Address,
    refuse: (_keys: readonly Address[]): void => {},
  };
  return {
    ...{ calls, since, supplies, state },
    async call(method: string, [keys, options]: readonly unknown[]) {
      const asked = keys as readonly Address[];
      expect(method).toBe('getMultipleAccounts');
      calls.push(asked);
      since.push((options as { minContextSlot?: number }).minContextSlot);
      state.refuse(asked);
      const value = asked.map((mint) => {
        const supply = supplies.get(mint);
        if (supply === undefined) return null;
        const told = encodeMint({ supply, decimals: 8, scaling: mint === second ? scaled : undefined });
        const data = state.spare === 0 || mint !== second ? told : withOther(told, state.spare).subarray(0, 4_096);
        return { owner: state.owner, data: [data.toString('base64'), 'base64'] };
      });
      return { context: { slot: state.slot }, value };
    },
  };
}

/** The account with an extension of so many bytes before its others. */
function withOther(mint: Buffer, bytes: number): Buffer {
  const other = Buffer.alloc(4 + bytes);
  other.writeUInt16LE(14, 0);
  other.writeUInt16LE(bytes, 2);
  return Buffer.concat([mint.subarray(0, 166), other, mint.subarray(166)]);
}

function open(rpc: ReturnType<typeof node>, kept?: LastKnown<KeptMint>) {
  const clock = createHandClock();
  reader = createEquityMints({ rpc, mints: MINTS, kept, clock, log: silentLogger });
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

  it('are not what a node behind the others tells, nor are they gone where it has none', async () => {
    const rpc = node();
    const { clock, mints } = open(rpc);
    await clock.advance(1);
    rpc.state.slot = 100;
    rpc.supplies.set(first, 7n);
    await clock.advance(5 * MINUTE_MS);
    expect(mints.mintOf(first)?.supply).toBe(7n);
    rpc.state.slot = 99;
    rpc.supplies.set(first, 5n);
    rpc.supplies.delete(second);
    await clock.advance(6 * MINUTE_MS);
    expect(mints.mintOf(first)?.supply).toBe(7n);
    expect(mints.mintOf(second)).toBeDefined();
    expect(rpc.since.at(-1)).toBe(100);
    rpc.state.slot = 100;
    await clock.advance(6 * MINUTE_MS);
    expect(mints.mintOf(first)?.supply).toBe(5n);
    expect(mints.mintOf(second)).toBeUndefined();
    // One that was no slot of this chain holds nothing up for good.
    rpc.state.slot = Number.MAX_SAFE_INTEGER;
    await clock.advance(6 * MINUTE_MS);
    rpc.state.slot = 101;
    rpc.supplies.set(first, 3n);
    await clock.advance(50 * MINUTE_MS);
    expect(mints.mintOf(first)?.supply).toBe(5n);
    await clock.advance(40 * MINUTE_MS);
    expect(mints.mintOf(first)?.supply).toBe(3n);
    expect(mints.alarms()).toEqual([]);
  });

  it('have an unknown multiplier where what is read of them ends before it', async () => {
    const rpc = node();
    const scalingOf = async (spare: number) => {
      rpc.state.spare = spare;
      const { clock, mints } = open(rpc);
      await clock.advance(1);
      await mints.stop();
      return mints.mintOf(second)?.scaling;
    };
    // Up to its last byte, one less, none of its value, and none of its entry.
    expect(await scalingOf(4_096 - 230)).toMatchObject({ multiplier: 1.5 });
    for (const spare of [4_097 - 230, 4_096 - 174, 4_096 - 170, 9_000]) expect(await scalingOf(spare)).toBe('unknown');
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

  it('are told as of before a restart until they are read, and kept as they are read', async () => {
    const rpc = node();
    rpc.state.refuse = () => {
      throw new Error('no node');
    };
    const of = { supply: 9n, decimals: 8, scaling: undefined, readAt: 1_000 };
    const stored: KeptMint[][] = [];
    const { clock, mints } = open(rpc, {
      load: async () => [
        { ...of, mint: first, slot: 4 },
        { ...of, mint: SYSTEM_PROGRAM, slot: 4 },
      ],
      keep: async (told) => void stored.push([...told]),
    });
    await clock.advance(0);
    expect([mints.mintOf(first), mints.mintOf(SYSTEM_PROGRAM), stored]).toEqual([of, undefined, []]);
    expect(mints.figures).toEqual({ ageMs: undefined, failed: 1 });
    rpc.state.refuse = () => {};
    await clock.advance(11_000);
    const { readAt } = mints.mintOf(first)!;
    expect(rpc.since[0]).toBe(4);
    expect(mints.mintOf(first)).toEqual({ ...of, supply: 0n, readAt });
    expect(stored.map(({ length }) => length)).toEqual([MINTS.length]);
    expect(stored[0]![0]).toEqual({ ...of, mint: first, supply: 0n, readAt, slot: 5 });
    expect(readAt).toBeGreaterThan(of.readAt);
    expect(mints.figures.failed).toBe(1);
    expect(mints.figures.ageMs).toBeCloseTo(clock.now() - readAt, 0);
  });

  it('are read though nothing of before is known, and nothing can be kept', async () => {
    const rpc = node();
    const fail = () => Promise.reject(new Error('no store'));
    const { clock, mints } = open(rpc, { load: fail, keep: fail });
    await clock.advance(0);
    expect(mints.mintOf(first)?.supply).toBe(0n);
    await clock.advance(5 * MINUTE_MS);
    expect(rpc.calls).toHaveLength(6);
  });
});
