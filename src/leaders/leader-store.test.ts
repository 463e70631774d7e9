import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestStore, type TestStore } from '../../test/support/store.ts';
import { encodeAddress } from '../chain/keys/base58.ts';
import { readLeaderSchedule } from '../chain/rpc/epoch-answers.ts';
import { createNetwork } from '../simulator/network/network.ts';
import { answerNetwork } from '../simulator/network/network-rpc.ts';
import { readJson } from '../store/clickhouse/client.ts';
import { createLeaderStore, type LeaderStore } from './leader-store.ts';
import type { StoredEpoch } from './turn-rows.ts';

const EPOCH = 5_000;
const network = createNetwork({ seed: 'stored leaders', slotsPerEpoch: EPOCH, sign: false });

let test: TestStore;
let store: LeaderStore;
let now = 1_790_000_000;

beforeAll(async () => {
  test = await openTestStore();
  store = createLeaderStore(test.store.client, () => now);
});
afterAll(() => test.close());

function epochOf(epoch: number, of = network): StoredEpoch {
  const firstSlot = epoch * EPOCH;
  const { result } = answerNetwork(of, firstSlot, 'getLeaderSchedule', [firstSlot])!;
  return { span: { epoch, firstSlot, slots: EPOCH }, leaders: readLeaderSchedule(result, EPOCH)! };
}

const validator = (place: number, extra: object = {}) => ({
  ...{ identity: network.validators[place]!.identity.address, stake: 10n ** 16n + 1n, commission: 5 },
  ...{ isDelinquent: false, ...extra },
});

describe('stored leaders', () => {
  it('are what was written, and what is written twice, by two hosts, is there once', async () => {
    const epoch = epochOf(90_000);
    expect(await store.epochAt(epoch.span.firstSlot)).toBeUndefined();
    const other = createLeaderStore(test.store.client, () => now + 5);
    await Promise.all([store.saveSchedule(epoch), other.saveSchedule(epoch)]);
    await store.saveSchedule(epoch);
    for (const slot of [epoch.span.firstSlot, epoch.span.firstSlot + EPOCH - 1])
      expect(await store.epochAt(slot)).toEqual(epoch);
    expect(await store.epochAt(epoch.span.firstSlot + EPOCH)).toBeUndefined();
    const [rows] = await readJson<{ n: string }>(test.store.client, 'SELECT count() AS n FROM leader_turns FINAL');
    expect(Number(rows!.n)).toBe(2);
  });

  it('tell the leader of any slot, and leave out slots that nobody knows', async () => {
    await store.saveSchedule(epochOf(90_001));
    await store.saveSchedule(epochOf(90_003));
    const first = 90_001 * EPOCH;
    const slots = Array.from({ length: 1_200 }, (_, place) => first + place * 17);
    const found = await store.leadersOf([...slots, ...slots]);
    const isStored = (slot: number) => network.epochOf(slot) !== 90_002 && network.epochOf(slot) <= 90_003;
    expect([...found.keys()].sort()).toEqual(slots.filter(isStored).sort());
    for (const [slot, { identity }] of found) expect(identity).toBe(network.leaderOf(slot).identity.address);
    expect(await store.leadersOf([])).toEqual(new Map());
    expect(await store.leadersOf([7])).toEqual(new Map());
  });

  it('are told as they were in the slot’s epoch, and where nobody saw them as in the last one before, else as in the next', async () => {
    const [epoch, later] = [epochOf(91_000), epochOf(91_001)];
    await store.saveSchedule(epoch);
    await store.saveSchedule(later);
    const slotOf = (number: number, { span, leaders }: StoredEpoch) =>
      span.firstSlot + leaders.places.indexOf(leaders.identities.indexOf(validator(number).identity));
    const full = validator(0, {
      ...{ vote: encodeAddress(new Uint8Array(32).fill(9)), name: 'Node 🥩', version: '4.2.1', clientId: 0 },
      ...{ gossipIp: '2001:db8::1', sharesTips: false },
    });
    await store.saveValidators(91_000, [validator(0), validator(1, { sharesTips: true, clientId: 86 })]);
    now += 10;
    await store.saveValidators(91_000, [full]);
    await store.saveValidators(91_002, [validator(0, { name: 'later' }), validator(1, { name: 'later' })]);
    const slots = [slotOf(0, epoch), slotOf(1, epoch), slotOf(2, epoch), slotOf(0, later)];
    const found = await store.leadersOf(slots);
    expect(found.get(slots[0]!)).toEqual(full);
    expect(found.get(slots[1]!)).toEqual(validator(1, { sharesTips: true, clientId: 86 }));
    expect(found.get(slots[2]!)).toEqual(validator(2, { stake: 0n, commission: 0 }));
    expect(found.get(slots[3]!)).toEqual(full);
    const known = await store.validators(91_001);
    expect([known.epoch, known.validators.length]).toEqual([91_000, 2]);
    expect(known.validators).toContainEqual(full);
    const earlier = epochOf(90_999);
    await store.saveSchedule(earlier);
    const before = [slotOf(0, earlier), slotOf(2, earlier)];
    const nearest = await store.leadersOf(before);
    expect(nearest.get(before[0]!)).toEqual(full);
    expect(nearest.get(before[1]!)).toEqual(validator(2, { stake: 0n, commission: 0 }));
    expect(await store.validators(80_000)).toEqual(await store.validators(91_000));
  });

  it('are of one node’s schedule, when two do not agree: the later one’s', async () => {
    const other = createNetwork({ seed: 'another node', slotsPerEpoch: EPOCH, sign: false });
    await store.saveSchedule(epochOf(92_000));
    now += 10;
    await store.saveSchedule(epochOf(92_000, other));
    const slot = 92_000 * EPOCH + 4_999;
    expect(await store.epochAt(slot)).toEqual(epochOf(92_000, other));
    expect((await store.leadersOf([slot])).get(slot)?.identity).toBe(other.leaderOf(slot).identity.address);
  });
});
