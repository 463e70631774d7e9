import { createHash } from 'node:crypto';
import type { EpochSpan } from '../chain/epochs.ts';
import type { EpochLeaders } from '../chain/rpc/epoch-answers.ts';
import { CHUNK_SLOTS, type EpochLeaderRow, type LeaderTurnsRow } from '../store/clickhouse/schema/leader-tables.ts';

/** Slots in a row that one leader has. */
const TURN_SLOTS = 4;

export interface StoredEpoch {
  readonly span: EpochSpan;
  readonly leaders: EpochLeaders;
}

export interface ScheduleRows {
  readonly turns: readonly LeaderTurnsRow[];
  readonly leaders: readonly EpochLeaderRow[];
}

/** A number that tells schedules apart: equal ones have the same, whoever stores them. */
export function scheduleSum({ identities, places }: EpochLeaders): bigint {
  const sum = createHash('sha256').update(identities.join(' '));
  // In the byte order of rows, whatever the machine's.
  return sum.update(placeBytes(places, 1)).digest().readBigUInt64LE(0);
}

/** Rows of an epoch's schedule. `storedAt` is in Unix seconds. */
export function scheduleRows(span: EpochSpan, leaders: EpochLeaders, storedAt: number): ScheduleRows {
  const { epoch, firstSlot, slots } = span;
  const schedule = scheduleSum(leaders);
  const turns: LeaderTurnsRow[] = [];
  const end = firstSlot + slots;
  for (let slot = firstSlot; slot < end; ) {
    const chunk = Math.floor(slot / CHUNK_SLOTS);
    const next = Math.min(end, (chunk + 1) * CHUNK_SLOTS);
    const places = leaders.places.subarray(slot - firstSlot, next - firstSlot);
    const turnSlots = isInTurns(places) ? TURN_SLOTS : 1;
    turns.push({
      ...{ chunk, epoch, first_slot: slot, slots: places.length, turn_slots: turnSlots, schedule },
      ...{ epoch_first_slot: firstSlot, epoch_slots: slots, stored_at: storedAt },
      places: placeBytes(places, turnSlots),
    });
    slot = next;
  }
  return {
    turns,
    leaders: leaders.identities.map((identity, place) => ({ epoch, schedule, place, identity })),
  };
}

/** A schedule out of its rows, in any order; undefined unless they tell of every slot, and of one schedule. */
export function readScheduleRows(span: EpochSpan, { turns, leaders }: ScheduleRows): EpochLeaders | undefined {
  const schedule = turns[0]?.schedule;
  const places = new Uint16Array(span.slots);
  let told = 0;
  for (const row of turns) {
    const first = row.first_slot - span.firstSlot;
    const isWhole = row.places.length === 2 * Math.ceil(row.slots / row.turn_slots);
    if (row.schedule !== schedule || !isWhole || first < 0 || first + row.slots > span.slots) return undefined;
    for (let slot = 0; slot < row.slots; slot += 1) places[first + slot] = placeAt(row, row.first_slot + slot);
    told += row.slots;
  }
  const named = leaders.filter((row) => row.schedule === schedule).sort((a, b) => a.place - b.place);
  const isNamed = named.length > 0 && named.every(({ place }, index) => place === index);
  if (told !== span.slots || !isNamed || places.some((place) => place >= named.length)) return undefined;
  return { identities: named.map(({ identity }) => identity), places };
}

/** The place of the leader of a slot that a row tells of. */
export function placeAt({ first_slot, turn_slots, places }: LeaderTurnsRow, slot: number): number {
  const at = 2 * Math.floor((slot - first_slot) / turn_slots);
  return places[at]! | (places[at + 1]! << 8);
}

function isInTurns(places: Uint16Array): boolean {
  return places.every((place, slot) => place === places[slot - (slot % TURN_SLOTS)]);
}

function placeBytes(places: Uint16Array, turnSlots: number): Uint8Array {
  const turns = Math.ceil(places.length / turnSlots);
  const bytes = new Uint8Array(2 * turns);
  const view = new DataView(bytes.buffer);
  for (let turn = 0; turn < turns; turn += 1) view.setUint16(2 * turn, places[turn * turnSlots]!, true);
  return bytes;
}
