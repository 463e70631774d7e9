import { describe, expect, it } from 'vitest';
import { timesAsked, useLeaderWorlds } from '../../test/support/leader-world.ts';
import type { Leaders } from './leaders.ts';

const { network, slotsPerEpoch: EPOCH, firstSlot: FIRST, world } = useLeaderWorlds();

describe('validators of schedules', () => {
  it('have their votes when a node refuses gossip, and what was heard before stays', async () => {
    const { start, pass, state, node, codes } = world();
    const [silent] = network.validators;
    node.quirk = (asked) => {
      if (asked === 'getClusterNodes') throw new Error('410 Gone');
    };
    const leaders = start();
    const known = () =>
      leaders.scheduleAt(state.slot)!.validators.find(({ identity }) => identity === silent!.identity.address)!;
    await pass(400);
    expect(known()).toMatchObject({ stake: network.stakeIn(1_000, silent!), commission: silent!.commission });
    expect(known()).not.toHaveProperty('version');
    expect(codes.filter((each) => each.includes('failed'))).toEqual(['leaders_gossip_failed']);
    node.quirk = () => undefined;
    await pass(600);
    expect(known().version).toBe(silent!.version);
    node.quirk = (asked) => {
      if (asked === 'getClusterNodes') throw new Error('410 Gone');
    };
    await pass(600);
    expect(known()).toMatchObject({ version: silent!.version, gossipIp: silent!.ip });
  });

  it('of an epoch that is over stay as they were known in it, and the same when nothing is new', async () => {
    const { start, pass, state, node } = world({ slot: FIRST + EPOCH - 2 });
    const leaders = start();
    await pass(3);
    const before = leaders.scheduleAt(FIRST);
    const { changes } = leaders;
    const other = network.validators[3]!.identity.address;
    const versionAt = (slot: number) =>
      leaders.scheduleAt(slot)!.validators.find(({ identity }) => identity === other)?.version;
    await pass(310);
    expect(timesAsked(node.calls, 'getVoteAccounts')).toBe(2);
    expect([leaders.scheduleAt(FIRST), leaders.changes]).toEqual([before, changes]);
    expect(leaders.scheduleAt(FIRST)).toBe(before);
    state.slot = FIRST + EPOCH + 5;
    node.quirk = (method) =>
      method === 'getClusterNodes' ? [{ pubkey: other, version: '9.9.9', gossip: '198.51.100.1:1' }] : undefined;
    await pass(310);
    expect(versionAt(state.slot)).toBe('9.9.9');
    expect(versionAt(FIRST)).toBe(network.validators[3]!.version);
    expect(leaders.scheduleAt(FIRST)).toBe(before);
  });

  it('are those of the store where the node is epochs ahead, as far as it has any', async () => {
    const first = world();
    const told = first.start();
    await first.pass(3);
    const stored = told.scheduleAt(FIRST)!.validators;
    const { start, pass, store } = world({ store: first.store, nodeSlot: FIRST + EPOCH + 100 });
    const gone = network.validators[3]!.identity.address;
    store.rows.get(1_000)!.delete(gone);
    const leaders = start();
    await pass(3);
    const behind = leaders.scheduleAt(FIRST)!.validators;
    const byIdentity = new Map(behind.map((each) => [each.identity, each]));
    for (const validator of stored) {
      if (validator.identity !== gone) expect(byIdentity.get(validator.identity)).toMatchObject(validator);
    }
    expect(byIdentity.get(gone)?.stake).toBe(network.stakeIn(1_001, network.validators[3]!));
  });

  it('stay as the node told them in an epoch that it is through before the service', async () => {
    const { start, pass, state, store } = world();
    const other = network.validators[3]!;
    const { address: identity } = other.identity;
    const old = { identity, version: '1.1.1', stake: 1n, commission: 1, isDelinquent: false };
    store.rows.set(999, new Map([[identity, old]]));
    const leaders = start();
    await pass(3);
    const before = leaders.scheduleAt(FIRST);
    expect(before!.validators.find((each) => each.identity === identity)?.version).toBe(other.version);
    state.nodeSlot = FIRST + EPOCH + 3;
    await pass(310);
    expect(leaders.scheduleAt(FIRST)).toBe(before);
  });

  it('are written with no epoch but the one in which the node told of them', async () => {
    // The service is an epoch behind.
    const { start, pass, state, store } = world({ nodeSlot: FIRST + EPOCH + 100 });
    start();
    await pass(5);
    expect(store.rows.size).toBe(0);
    state.slot = FIRST + EPOCH + 1;
    await pass(5);
    expect([...store.rows.keys()]).toEqual([1_001]);
  });

  it('keep the names of an earlier run, and names that come before validators', async () => {
    const first = world();
    first.start();
    await first.pass(3);
    const named = network.validators.find((each) => each.name !== undefined && network.stakeIn(1_000, each) > 0n)!;
    const nameAt = (leaders: Leaders, slot: number) =>
      leaders.scheduleAt(slot)!.validators.find(({ identity }) => identity === named.identity.address)?.name;
    // An epoch that the store has no schedule of, and a node that refuses names.
    const later = world({ store: first.store, slot: FIRST + 2 * EPOCH + 5 });
    later.node.quirk = (method) => {
      if (method === 'getProgramAccounts') throw new Error('410 Gone');
    };
    const leaders = later.start();
    await later.pass(3);
    expect(nameAt(leaders, later.state.slot)).toBe(named.name);
    const early = world();
    let refused = 1;
    early.node.quirk = (method) => {
      if (method === 'getVoteAccounts' && refused-- > 0) throw new Error('429');
    };
    const others = early.start();
    await early.pass(30);
    expect(nameAt(others, early.state.slot)).toBe(named.name);
    expect(timesAsked(early.node.calls, 'getProgramAccounts')).toBe(1);
  });
});
