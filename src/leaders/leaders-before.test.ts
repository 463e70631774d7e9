import { describe, expect, it } from 'vitest';
import { timesAsked, useLeaderWorlds } from '../../test/support/leader-world.ts';
import type { Validator } from './epoch-schedule.ts';
import type { Leaders } from './leaders.ts';

const { network, slotsPerEpoch: EPOCH, firstSlot: FIRST, world, identityAt } = useLeaderWorlds();
/** Of the epoch before the one that worlds begin in. */
const BEFORE = FIRST - EPOCH;

/** One that leads in both epochs. */
const one = network.validators.find((each) => {
  const leads = (first: number) => Array.from({ length: EPOCH }, (_, at) => first + at).some((slot) => isLed(slot));
  const isLed = (slot: number) => identityAt(slot) === each.identity.address;
  return leads(BEFORE) && leads(FIRST);
})!;
const { address } = one.identity;
const row = (told: Partial<Validator>): Validator => ({
  ...{ identity: address, stake: 7n, commission: 3, isDelinquent: false },
  ...told,
});
const oneAt = (leaders: Leaders, slot: number) =>
  leaders.scheduleAt(slot)?.validators.find(({ identity }) => identity === address);
const slotsOf = (first: number) => Array.from({ length: EPOCH }, (_, at) => first + at);

function refuse(): null {
  throw new Error('410 Gone');
}

/** A store that a service left, which knew an epoch and the one before it. */
async function leftStore() {
  const { start, pass, store } = world();
  const leaders = start();
  await pass(5);
  await leaders.stop();
  return store;
}

describe('leaders of the epoch before a start', () => {
  it('are asked of the node, once, and written', async () => {
    const { start, pass, state, node, store } = world();
    const asked: unknown[] = [];
    node.quirk = (method, [slot]) => void (method === 'getLeaderSchedule' && asked.push(slot));
    const leaders = start();
    await pass(5);
    for (const slot of slotsOf(BEFORE)) expect(leaders.leaderAt(slot)?.identity).toBe(identityAt(slot));
    expect(leaders.scheduleAt(FIRST - 1)).toMatchObject({ epoch: 999, firstSlot: BEFORE, slots: EPOCH });
    expect(leaders.leaderAt(BEFORE - 1)).toBeUndefined();
    await pass(100);
    expect(asked).toEqual([FIRST, FIRST + EPOCH, BEFORE]);
    expect([...store.epochs.keys()].sort()).toEqual([1_000, 1_001, 999]);
    expect([...store.rows.keys()]).toEqual([1_000]);
    // Gone from memory an epoch later, when the next one before is known already.
    state.slot = FIRST + EPOCH + 5;
    await pass(3);
    expect(leaders.scheduleAt(BEFORE)).toBeUndefined();
    expect(asked).toEqual([FIRST, FIRST + EPOCH, BEFORE, FIRST + 2 * EPOCH]);
  });

  it('are read from the store first, and need no node', async () => {
    const store = await leftStore();
    for (const hasNode of [true, false]) {
      const { start, pass, node } = world({ store, hasNode });
      const leaders = start();
      await pass(3);
      for (const slot of slotsOf(BEFORE)) expect(leaders.leaderAt(slot)?.identity).toBe(identityAt(slot));
      expect(oneAt(leaders, BEFORE)).toMatchObject({ version: one.version, clientId: one.clientId });
      expect(timesAsked(node.calls, 'getLeaderSchedule')).toBe(0);
    }
  });

  it('are told as the node tells of them now, where the store has nothing of that epoch or one before', async () => {
    const store = await leftStore();
    const { start, pass, node } = world({ store });
    const heard = (version: string) => [{ pubkey: address, version, gossip: '198.51.100.1:1' }];
    node.quirk = (method) => (method === 'getClusterNodes' ? heard('9.9.8') : undefined);
    const leaders = start();
    await pass(3);
    expect(oneAt(leaders, BEFORE)).toEqual(oneAt(leaders, FIRST));
    expect(oneAt(leaders, BEFORE)?.version).toBe('9.9.8');
    const { changes } = leaders;
    const before = leaders.scheduleAt(BEFORE);
    await pass(310);
    expect([leaders.scheduleAt(BEFORE), leaders.changes]).toEqual([before, changes]);
    expect(leaders.scheduleAt(BEFORE)).toBe(before);
    node.quirk = (method) => (method === 'getClusterNodes' ? heard('9.9.9') : undefined);
    await pass(310);
    expect(oneAt(leaders, BEFORE)?.version).toBe('9.9.9');
    expect(leaders.changes).toBeGreaterThan(changes);
  });

  it.each([
    ['of that epoch', 999],
    ['of the last epoch before it', 995],
  ])(
    'are told as the store knew them, by rows %s, and change nothing of what is known of the current one',
    async (_what, epoch) => {
      const store = await leftStore();
      const stored = row({ version: '1.1.1', name: 'Old', sharesTips: false });
      const [gone] = network.others;
      store.rows.set(epoch, new Map([stored, row({ identity: gone! })].map((each) => [each.identity, each])));
      store.rows.get(1_000)!.set(address, row({ version: '2.2.2', name: 'New' }));
      for (const hasNode of [true, false]) {
        const { start, pass, node } = world({ store, hasNode });
        // It tells of votes alone.
        node.quirk = (method) => {
          if (['getClusterNodes', 'getProgramAccounts'].includes(method)) refuse();
        };
        const leaders = start();
        await pass(700);
        expect(oneAt(leaders, BEFORE)).toEqual(stored);
        expect(oneAt(leaders, FIRST)).toMatchObject({ version: '2.2.2', name: 'New' });
        expect(leaders.scheduleAt(BEFORE)!.validators.some(({ identity }) => identity === gone)).toBe(true);
        // Of whom that epoch tells nothing.
        const other = leaders.scheduleAt(BEFORE)!.validators.find(({ identity }) => identity !== address)!;
        expect(other.version).toBe(
          network.validators.find((each) => each.identity.address === other.identity)?.version,
        );
      }
      expect([...store.rows.keys()].sort()).toEqual([1_000, epoch].sort());
    },
  );

  it('are written with the current epoch too where they neither vote nor lead any more, for starts without a node', async () => {
    const led = new Set(slotsOf(FIRST).map(identityAt));
    const gone = slotsOf(BEFORE)
      .map((slot) => network.leaderOf(slot))
      .find((each) => network.stakeIn(1_000, each) === 0n && !led.has(each.identity.address))!;
    const store = await leftStore();
    expect(store.rows.get(1_000)!.get(gone.identity.address)).toMatchObject({ stake: 0n, version: gone.version });
    const slot = slotsOf(BEFORE).find((each) => network.leaderOf(each) === gone)!;
    const { start, pass } = world({ store, hasNode: false });
    const leaders = start();
    await pass(3);
    expect(leaders.leaderAt(slot)).toMatchObject({ version: gone.version, clientId: gone.clientId });
    expect(leaders.leaderAt(slot)).toEqual((await store.leadersOf([slot])).get(slot));
  });

  it.each([
    ['does not know it', () => null, []],
    ['refuses it', refuse, ['leaders_previous_failed']],
  ])('are asked for ever more seldom of a node that %s', async (_what, answer, told) => {
    const { start, pass, node, store, codes } = world();
    let asked = 0;
    node.quirk = (method, [slot]) => {
      if (method !== 'getLeaderSchedule' || slot !== BEFORE) return undefined;
      asked += 1;
      return answer();
    };
    let reads = 0;
    const { epochAt } = store;
    store.epochAt = (slot) => {
      reads += 1;
      return epochAt(slot);
    };
    const leaders = start();
    await pass(3_600);
    expect(leaders.leaderAt(FIRST)?.identity).toBe(identityAt(FIRST));
    expect(leaders.scheduleAt(BEFORE)).toBeUndefined();
    expect(asked).toBeGreaterThan(3);
    expect(asked).toBeLessThan(12);
    expect(reads).toBeLessThan(25);
    expect(codes.filter((code) => code.includes('failed'))).toEqual(told);
    expect(leaders.alarms()).toEqual([]);
  });

  it('come as soon as the node says how epochs lie', async () => {
    const store = await leftStore();
    store.epochs.delete(999);
    const { start, pass, node } = world({ store });
    node.quirk = (method) => (method === 'getEpochSchedule' ? refuse() : undefined);
    const leaders = start();
    await pass(1_500);
    expect(leaders.scheduleAt(BEFORE)).toBeUndefined();
    node.quirk = () => undefined;
    await pass(130);
    expect(leaders.leaderAt(BEFORE)?.identity).toBe(identityAt(BEFORE));
    expect(timesAsked(node.calls, 'getLeaderSchedule')).toBe(1);
  });

  it('come when the store is back, with what it has of validators, and are asked of the node once', async () => {
    const { start, pass, node, store } = world();
    store.rows.set(999, new Map([[address, row({ version: '1.1.1' })]]));
    store.isAway = true;
    const leaders = start();
    await pass(300);
    expect(leaders.scheduleAt(BEFORE)).toBeUndefined();
    store.isAway = false;
    await pass(400);
    expect(oneAt(leaders, BEFORE)?.version).toBe('1.1.1');
    expect([...store.epochs.keys()].sort()).toEqual([1_000, 1_001, 999]);
    expect(timesAsked(node.calls, 'getLeaderSchedule')).toBe(3);
  });

  it('are nobody in the first epoch', async () => {
    const { start, pass, node, codes } = world({ slot: 100 });
    const leaders = start();
    await pass(100);
    expect(leaders.leaderAt(100)?.identity).toBe(identityAt(100));
    expect(timesAsked(node.calls, 'getLeaderSchedule')).toBe(2);
    expect(leaders.figures.schedules).toEqual({ current: 1, next: 1 });
    expect(codes.filter((code) => code.includes('failed'))).toEqual([]);
  });
});
