import { describe, expect, it } from 'vitest';
import { timesAsked, useLeaderWorlds } from '../../test/support/leader-world.ts';
import { createNetwork } from '../simulator/network/network.ts';
import { answerNetwork } from '../simulator/network/network-rpc.ts';
import { hasTipAccount, sharesTips } from '../simulator/network/tip-accounts.ts';
import { runsRelay } from './clients.ts';
import type { Leaders } from './leaders.ts';

const { network: small, firstSlot, slotsPerEpoch, world } = useLeaderWorlds();
const EPOCH = 8_000;
/** Of epochs in which most validators lead often. */
const network = createNetwork({ seed: 'tips', slotsPerEpoch: EPOCH, sign: false });
const FIRST = EPOCH * 1_000;
const SETTLED = 150;

interface AccountJson {
  readonly owner: string;
  readonly data: readonly string[];
}

const toldAt = (leaders: Leaders, slot: number) =>
  new Map(leaders.scheduleAt(slot)!.validators.map(({ identity, sharesTips: told }) => [identity, told]));

/** Slots that validators have led in the epoch before a slot, by the network's own word. */
function ledBefore(end: number): number[] {
  const slots = network.validators.map(() => 0);
  for (let slot = FIRST; slot < end; slot += 1) slots[network.leaderOf(slot).place]! += 1;
  return slots;
}

describe('who shares tips', () => {
  it('is told by accounts of the epoch: of those that have led enough without one, that they do not', async () => {
    const { start, pass, state } = world({ network, slot: FIRST + 4_000 });
    const leaders = start();
    await pass(2);
    state.slot = FIRST + 5_000;
    await pass(610);
    const told = toldAt(leaders, state.slot);
    const led = ledBefore(state.slot - SETTLED);
    const said = { yes: 0, no: 0, unknown: 0 };
    for (const validator of network.validators) {
      if (network.stakeIn(1_000, validator) === 0n) continue;
      const known = told.get(validator.identity.address);
      if (hasTipAccount(network, validator, 1_000, state.slot)) {
        expect(known).toBe(true);
        said.yes += 1;
      } else if (led[validator.place]! < 12) {
        expect(known).toBeUndefined();
        said.unknown += 1;
      } else if (!network.isDelinquent(validator, state.slot)) {
        // Also where somebody sent lamports to the address.
        expect(known).toBe(false);
        said.no += 1;
      }
    }
    for (const count of Object.values(said)) expect(count).toBeGreaterThan(5);
    // Clients of which some share tips and others do not.
    const divided = leaders.scheduleAt(state.slot)!.validators.filter(({ clientId }) => clientId === 2);
    expect(new Set(divided.map(runsRelay))).toEqual(new Set([true, false]));
  });

  it('is asked for a hundred at a time, and of nobody whose account was seen', async () => {
    const asked: string[] = [];
    const { start, pass, state, node } = world({ network, slot: FIRST + 7_000 });
    node.quirk = (method, [keys]) => {
      if (method === 'getMultipleAccounts') asked.push(...(keys as string[]));
    };
    start();
    await pass(3);
    const staked = network.validators.filter((each) => network.stakeIn(1_000, each) > 0n);
    expect(asked).toHaveLength(staked.length);
    expect(timesAsked(node.calls, 'getMultipleAccounts')).toBe(Math.ceil(staked.length / 100));
    const first = new Set(asked.splice(0));
    await pass(600);
    const without = staked.filter((each) => !hasTipAccount(network, each, 1_000, state.slot));
    expect(asked).toHaveLength(without.length);
    expect(asked.every((key) => first.has(key))).toBe(true);
  });

  it('stays known over a change of epochs, until somebody has led without an account', async () => {
    const { start, pass, state, store } = world({ network, slot: FIRST + EPOCH - 10 });
    const leaders = start();
    await pass(3);
    const [one] = network.validators.filter((each) => sharesTips(network, each));
    const of = () => toldAt(leaders, state.slot).get(one!.identity.address);
    expect(of()).toBe(true);
    state.slot = FIRST + EPOCH + 2;
    await pass(400);
    expect(of()).toBe(true);
    expect(store.rows.get(1_001)!.get(one!.identity.address)?.sharesTips).toBe(true);
    // Its client is another one now.
    const later = world({ network, slot: FIRST + EPOCH + 6_000, store });
    later.node.quirk = (method, [keys]) =>
      method === 'getMultipleAccounts'
        ? { context: { slot: later.state.slot }, value: (keys as string[]).map(() => null) }
        : undefined;
    const others = later.start();
    await later.pass(610);
    expect(toldAt(others, later.state.slot).get(one!.identity.address)).toBe(false);
    expect(store.rows.get(1_000)!.get(one!.identity.address)?.sharesTips).toBe(true);
  });

  it.each([
    ['refuses', () => Promise.reject(new Error('410 Gone'))],
    ['answers with a text', () => 'please log in'],
    ['answers of fewer accounts', () => ({ context: { slot: 1 }, value: [null] })],
    [
      'tells no owners',
      (keys: unknown[]) => ({ context: { slot: 1 }, value: keys.map(() => ({ data: ['', 'base64'] })) }),
    ],
  ])('is what was known before where a node %s, and nobody’s leader is lost', async (_what, lie) => {
    const first = world();
    first.start();
    await first.pass(3);
    const { start, pass, state, node, codes } = world({ store: first.store });
    node.quirk = (method, [keys]) => (method === 'getMultipleAccounts' ? lie(keys as unknown[]) : undefined);
    const leaders = start();
    await pass(300);
    for (const validator of small.validators) {
      if (small.stakeIn(1_000, validator) === 0n) continue;
      const told = toldAt(leaders, state.slot).get(validator.identity.address);
      expect(told).toBe(hasTipAccount(small, validator, 1_000, state.slot) ? true : undefined);
    }
    expect(codes.filter((each) => each === 'leaders_tips_failed')).toHaveLength(1);
    expect(timesAsked(node.calls, 'getMultipleAccounts')).toBeLessThan(8);
    expect(leaders.leaderAt(firstSlot + slotsPerEpoch)).toBeDefined();
  });

  it.each([
    ['of another program', (account: AccountJson) => ({ ...account, owner: network.validators[0]!.identity.address })],
    ['of somebody else', (account: AccountJson, other: AccountJson) => ({ ...account, data: other.data })],
  ])('is not believed of accounts that are %s', async (_what, forge) => {
    const { start, pass, state, node } = world({ network, slot: FIRST + 7_000 });
    node.quirk = (method, params) => {
      if (method !== 'getMultipleAccounts') return undefined;
      const { result } = answerNetwork(network, state.slot, method, params) as {
        result: { value: (AccountJson | null)[] };
      };
      const made = result.value.filter((each) => each !== null && each.data[0] !== '');
      const value = result.value.map((each) => {
        const at = made.indexOf(each);
        return at < 0 ? each : forge(each!, made[(at + 1) % made.length]!);
      });
      return { ...result, value };
    };
    const leaders = start();
    await pass(3);
    expect(timesAsked(node.calls, 'getMultipleAccounts')).toBeGreaterThan(1);
    expect([...toldAt(leaders, state.slot).values()]).not.toContain(true);
  });
});
