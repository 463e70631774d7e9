import type { Address } from '../address.ts';
import type { EpochRule } from '../epochs.ts';
import { parseAddress } from '../keys/base58.ts';
import { MalformedWire } from '../malformed-wire.ts';
import { asCount, asList, asObject } from './rpc-shapes.ts';

/** Who leads the slots of an epoch. The same schedule always reads the same, in whichever order a node tells it. */
export interface EpochLeaders {
  /** Those with the most slots first. */
  readonly identities: readonly Address[];
  /** For each slot of the epoch the place of its leader in `identities`. */
  readonly places: Uint16Array;
}

/** More than any cluster has. */
const MAX_SLOTS_PER_EPOCH = 4_000_000;
const MAX_LEADERS = 0xffff;
const NOBODY = 0xffff;

/** The newest slot of the node, by the result of getEpochInfo. */
export function readEpochInfoSlot(json: unknown): number {
  return asCount(asObject<{ absoluteSlot?: unknown }>(json, 'epoch info').absoluteSlot, 'the newest slot');
}

/** Reads the result of getEpochSchedule. */
export function readEpochSchedule(json: unknown): EpochRule {
  const schedule = asObject<Readonly<Record<string, unknown>>>(json, 'epoch schedule');
  const rule = {
    slotsPerEpoch: asCount(schedule.slotsPerEpoch, 'slots per epoch'),
    firstNormalEpoch: asCount(schedule.firstNormalEpoch, 'first normal epoch'),
    firstNormalSlot: asCount(schedule.firstNormalSlot, 'first normal slot'),
  };
  if (rule.slotsPerEpoch === 0 || rule.slotsPerEpoch > MAX_SLOTS_PER_EPOCH)
    throw new MalformedWire(`an epoch of ${rule.slotsPerEpoch} slots`);
  return rule;
}

/**
 * Reads the result of getLeaderSchedule for an epoch of so many slots. Undefined where the node does not know it (yet).
 * A schedule in which a slot has no leader, or two, throws MalformedWire: half of one is none.
 */
export function readLeaderSchedule(json: unknown, slots: number): EpochLeaders | undefined {
  if (json === null) return undefined;
  const led = Object.entries(asObject<Readonly<Record<string, unknown>>>(json, 'leader schedule')).map(
    ([identity, list]) => ({ identity: asAddress(identity), slots: asList(list, 'slots of a leader') }),
  );
  if (led.length >= MAX_LEADERS) throw new MalformedWire(`${led.length} leaders`);
  led.sort((a, b) => b.slots.length - a.slots.length || (a.identity < b.identity ? -1 : 1));
  const places = new Uint16Array(slots).fill(NOBODY);
  let known = 0;
  led.forEach((leader, place) => {
    for (const slot of leader.slots) {
      const isSlot = typeof slot === 'number' && Number.isInteger(slot) && slot >= 0 && slot < slots;
      if (!isSlot) throw new MalformedWire('a leader of a slot that is not in the epoch');
      if (places[slot] !== NOBODY) throw new MalformedWire(`two leaders of slot ${slot} of the epoch`);
      places[slot] = place;
      known += 1;
    }
  });
  if (known < slots) throw new MalformedWire(`${slots - known} of ${slots} slots without a leader`);
  return { identities: led.map(({ identity }) => identity), places };
}

function asAddress(text: string): Address {
  const address = parseAddress(text);
  if (address === undefined) throw new MalformedWire('a leader is no address');
  return address;
}
