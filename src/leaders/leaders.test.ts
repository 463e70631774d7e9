import { describe, expect, it } from 'vitest';
import { timesAsked, useLeaderWorlds } from '../../test/support/leader-world.ts';
import { hasTipAccount } from '../simulator/network/tip-accounts.ts';

const { network, slotsPerEpoch: EPOCH, firstSlot: FIRST, world, identityAt } = useLeaderWorlds();

describe('leaders', () => {
  it('are known for the current epoch, the one before and the next, with what is known of the validators', async () => {
    const { start, pass, state } = world();
    const leaders = start();
    expect(leaders.leaderAt(state.slot)).toBeUndefined();
    await pass(2);
    for (let slot = FIRST - EPOCH; slot < FIRST + 2 * EPOCH; slot += 1)
      expect(leaders.leaderAt(slot)?.identity).toBe(identityAt(slot));
    expect(leaders.leaderAt(FIRST - EPOCH - 1)).toBeUndefined();
    const schedule = leaders.scheduleAt(state.slot)!;
    expect(schedule).toMatchObject({ epoch: 1_000, firstSlot: FIRST, slots: EPOCH });
    for (const validator of network.validators) {
      const told = schedule.validators.find(({ identity }) => identity === validator.identity.address);
      if (network.stakeIn(1_000, validator) === 0n) continue;
      expect(told).toEqual({
        identity: validator.identity.address,
        vote: validator.voteAccount.address,
        ...(validator.name === undefined ? {} : { name: validator.name }),
        version: validator.version,
        clientId: validator.clientId,
        stake: network.stakeIn(1_000, validator),
        commission: validator.commission,
        isDelinquent: network.isDelinquent(validator, state.slot),
        gossipIp: validator.ip,
        ...(hasTipAccount(network, validator, 1_000, state.slot) ? { sharesTips: true } : {}),
      });
    }
    const leading = new Set(schedule.leaders);
    expect(Math.max(...leading)).toBe(leading.size - 1);
  });

  it('go over a change of epochs without a slot that nobody leads, and ask for each schedule once', async () => {
    const { start, pass, state, node, store } = world({ slot: FIRST + EPOCH - 30 });
    const leaders = start();
    await pass(2);
    const before = timesAsked(node.calls, 'getLeaderSchedule');
    expect(before).toBe(3);
    for (; state.slot < FIRST + EPOCH + 30; state.slot += 5) {
      for (let slot = state.slot - 20; slot < state.slot + 20; slot += 1)
        expect(leaders.leaderAt(slot)?.identity).toBe(identityAt(slot));
      await pass(1);
    }
    expect(timesAsked(node.calls, 'getLeaderSchedule')).toBe(4);
    expect(timesAsked(node.calls, 'getProgramAccounts')).toBe(1);
    // The stakes of the new epoch.
    expect(timesAsked(node.calls, 'getVoteAccounts')).toBe(2);
    const { identity } = network.validators[0]!;
    const known = leaders.scheduleAt(state.slot)!.validators.find((each) => each.identity === identity.address);
    expect(known?.stake).toBe(network.stakeIn(1_001, network.validators[0]!));
    expect([...store.epochs.keys()].sort()).toEqual([1_000, 1_001, 1_002, 999]);
    // Two epochs on, the first is only in the store.
    state.slot = FIRST + 2 * EPOCH + 1;
    await pass(2);
    expect(leaders.leaderAt(FIRST)).toBeUndefined();
    const found = await leaders.leadersOf([FIRST, FIRST + EPOCH, FIRST - EPOCH - 1, state.slot]);
    expect([...found.keys()].sort()).toEqual([FIRST, FIRST + EPOCH, state.slot]);
    for (const [slot, { identity: leader }] of found) expect(leader).toBe(identityAt(slot));
  });

  it('are asked for again every few minutes, and written only where they changed', async () => {
    const { start, pass, state, node, store } = world();
    const leaders = start();
    await pass(3);
    const first = store.written;
    expect(first).toBeGreaterThan(network.validators.length / 2);
    const changes = leaders.changes;
    await pass(290);
    expect(timesAsked(node.calls, 'getVoteAccounts')).toBe(1);
    const other = network.validators[3]!.identity.address;
    node.quirk = (method) =>
      method === 'getClusterNodes' ? [{ pubkey: other, version: '9.9.9', gossip: '198.51.100.1:1' }] : undefined;
    await pass(20);
    expect(timesAsked(node.calls, 'getVoteAccounts')).toBe(2);
    expect(store.written).toBe(first + 1);
    expect(leaders.changes).toBeGreaterThan(changes);
    const known = leaders.scheduleAt(state.slot)!.validators;
    expect(known.find(({ identity }) => identity === other)).toMatchObject({
      version: '9.9.9',
      clientId: network.validators[3]!.clientId,
    });
    // What half an answer leaves out stays known.
    const silent = network.validators[4]!;
    expect(known.find(({ identity }) => identity === silent.identity.address)?.version).toBe(silent.version);
  });

  it('are read from the store first: a restart in the middle of an epoch needs no node', async () => {
    const { store, start, pass } = world();
    start();
    await pass(3);
    const offline = world({ store, hasNode: false });
    const leaders = offline.start();
    await offline.pass(1);
    for (const slot of [FIRST, FIRST + 200, FIRST + EPOCH]) {
      expect(leaders.leaderAt(slot)?.identity).toBe(identityAt(slot));
      expect(leaders.leaderAt(slot)?.version).toBe(network.leaderOf(slot).version);
    }
    const again = world({ store });
    again.start();
    await again.pass(2);
    expect(timesAsked(again.node.calls, 'getLeaderSchedule')).toBe(0);
  });

  it('are unknown, and no fault, where there is neither node nor store that knows', async () => {
    const { start, pass, codes, state } = world({ hasNode: false });
    const leaders = start();
    await pass(60);
    expect(leaders.scheduleAt(state.slot)).toBeUndefined();
    expect(await leaders.leadersOf([state.slot])).toEqual(new Map());
    expect(codes).toEqual([]);
  });

  it('stand where the node is, before there is a block', async () => {
    const { start, pass, state } = world({ hasBlocks: false });
    const leaders = start();
    await pass(2);
    expect(leaders.leaderAt(state.slot)?.identity).toBe(identityAt(state.slot));
  });

  it.each([
    ['half a schedule', 'getLeaderSchedule', { [identityAt(FIRST)]: [0, 1, 2, 3] }],
    ['a schedule with strangers', 'getLeaderSchedule', { nobody: [0] }],
    ['a schedule that is a text', 'getLeaderSchedule', 'please log in'],
    ['epochs of no slots', 'getEpochSchedule', { slotsPerEpoch: 0, firstNormalEpoch: 0, firstNormalSlot: 0 }],
  ])(
    'are told with a code in the log when the node answers with %s, and come when it does not any more',
    async (_what, method, lie) => {
      const { start, pass, state, node, codes } = world();
      node.quirk = (asked) => (asked === method ? lie : undefined);
      const leaders = start();
      await pass(120);
      expect(leaders.leaderAt(state.slot)).toBeUndefined();
      const code = method === 'getEpochSchedule' ? 'leaders_rule_failed' : 'leaders_current_failed';
      expect(codes.filter((each) => each === code)).toHaveLength(1);
      // Asked less and less often.
      expect(timesAsked(node.calls, method)).toBeLessThan(12);
      node.quirk = () => undefined;
      const recovered = code.replace('failed', 'recovered');
      for (let second = 0; second < 130 && !codes.includes(recovered); second += 1) await pass(1);
      expect(codes).toContain(recovered);
      await pass(1);
      expect(leaders.leaderAt(state.slot)?.identity).toBe(identityAt(state.slot));
    },
  );

  it.each([
    ['refuses names', 'getProgramAccounts', 'leaders_names_failed'],
    ['refuses validators', 'getVoteAccounts', 'leaders_validators_failed'],
  ])('are known by their schedule when a node %s', async (_what, method, code) => {
    const { start, pass, state, node, codes } = world();
    node.quirk = (asked) => {
      if (asked === method) throw new Error('429 Too Many Requests');
    };
    const leaders = start();
    await pass(600);
    expect(leaders.leaderAt(state.slot)?.identity).toBe(identityAt(state.slot));
    expect(codes.filter((each) => each === code)).toHaveLength(1);
    expect(timesAsked(node.calls, method)).toBeLessThan(10);
    expect(timesAsked(node.calls, 'getLeaderSchedule')).toBe(3);
  });

  it('of the next epoch are asked for until the node knows them', async () => {
    const { start, pass, node } = world();
    node.quirk = (method, [slot]) => {
      if (method === 'getLeaderSchedule' && Number(slot) >= FIRST + EPOCH && node.calls.length < 12)
        throw new Error('not yet');
    };
    const leaders = start();
    await pass(1);
    expect(leaders.leaderAt(FIRST + EPOCH)).toBeUndefined();
    await pass(1_500);
    expect(leaders.leaderAt(FIRST + EPOCH)?.identity).toBe(identityAt(FIRST + EPOCH));
  });

  it('come, and are written later, when the store is away', async () => {
    const { start, pass, state, store, codes } = world();
    store.isAway = true;
    const leaders = start();
    await pass(5);
    expect(leaders.leaderAt(state.slot)?.identity).toBe(identityAt(state.slot));
    expect(codes).toContain('leaders_store_failed');
    store.isAway = false;
    await pass(130);
    expect([...store.epochs.keys()].sort()).toEqual([1_000, 1_001, 999]);
    expect(store.rows.get(1_000)!.size).toBeGreaterThan(0);
  });

  it('stop while a node does not answer', async () => {
    const { start, pass, node, state } = world();
    node.quirk = (_method, _params, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const leaders = start();
    await pass(2);
    await leaders.stop();
    expect(leaders.leaderAt(state.slot)).toBeUndefined();
  });

  it('have names without what cannot be shown', async () => {
    const { start, pass, state, node } = world();
    const plain = network.validators.find(({ name }) => name !== undefined)!;
    const { answerNetwork } = await import('../simulator/network/network-rpc.ts');
    node.quirk = (method, params) => {
      if (method !== 'getProgramAccounts') return undefined;
      const odd = { ...network, validators: [{ ...plain, name: `${'\u202e'}evil\u0000\n ${'x'.repeat(200)}` }] };
      return answerNetwork(odd, state.slot, method, params)!.result;
    };
    const leaders = start();
    await pass(2);
    const known = leaders
      .scheduleAt(state.slot)!
      .validators.find(({ identity }) => identity === plain.identity.address);
    expect(known?.name).toMatch(/^evil x+$/);
    expect(known?.name?.length).toBeLessThanOrEqual(80);
  });
});
