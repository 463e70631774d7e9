import { Type } from 'typebox';
import type { Address } from '../chain/address.ts';
import type { EpochSpan } from '../chain/epochs.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import {
  CHUNK_SLOTS,
  EPOCH_LEADERS,
  EPOCH_VALIDATORS,
  LEADER_TURNS,
  type LeaderTurnsRow,
} from '../store/clickhouse/schema/leader-tables.ts';
import { defineRowQuery } from '../store/query.ts';
import type { Validator } from './epoch-schedule.ts';
import { placeAt, readScheduleRows, type StoredEpoch } from './turn-rows.ts';
import { readValidatorRow } from './validator-rows.ts';

/** Questions about stored schedules and validators. They reject with the store's faults. */
export interface LeaderReads {
  /** The epoch that a slot is in, when its whole schedule is there. */
  epochAt(slot: number): Promise<StoredEpoch | undefined>;
  /** Of an epoch; when it has none of the last one before it, else of the first one behind it. */
  validators(epoch: number): Promise<SeenValidators>;
  /**
   * Leaders of slots of any age as they were known in the slot's epoch, else in the last one before it, else in the first
   * one behind it. Slots of which no schedule is stored are left out.
   */
  leadersOf(slots: readonly number[]): Promise<Map<number, Validator>>;
}

/** Validators as they were last known in one epoch. */
export interface SeenValidators {
  /** Undefined where there are none of any epoch. */
  readonly epoch: number | undefined;
  readonly validators: readonly Validator[];
}

/** Rows of the largest schedule, and validators of any cluster. */
const MAX_ROWS = 70_000;
/** Slots asked for together: a page of the longest list. */
const SLOTS_A_READ = 500;

const turnsOfSlots = defineRowQuery({
  sql: new URL('./turns-of-slots.sql', import.meta.url),
  params: Type.Object({ chunks: Type.Array(Type.Integer()) }),
  layout: LEADER_TURNS,
  maxRows: MAX_ROWS,
});
const turnsOfEpoch = defineRowQuery({
  sql: new URL('./turns-of-epoch.sql', import.meta.url),
  params: Type.Object({ first: Type.Integer(), last: Type.Integer(), epoch: Type.Integer() }),
  layout: LEADER_TURNS,
});
const leadersOfEpoch = defineRowQuery({
  sql: new URL('./leaders-of-epoch.sql', import.meta.url),
  params: Type.Object({ epoch: Type.Integer(), schedule: Type.BigInt() }),
  layout: EPOCH_LEADERS,
  maxRows: MAX_ROWS,
});
const leadersAtPlaces = defineRowQuery({
  sql: new URL('./leaders-at-places.sql', import.meta.url),
  params: Type.Object({
    epochs: Type.Array(Type.Integer()),
    schedules: Type.Array(Type.BigInt()),
    places: Type.Array(Type.Integer()),
  }),
  layout: EPOCH_LEADERS,
});
const validatorsOfEpoch = defineRowQuery({
  sql: new URL('./validators-of-epoch.sql', import.meta.url),
  params: Type.Object({ epoch: Type.Integer() }),
  layout: EPOCH_VALIDATORS,
  maxRows: MAX_ROWS,
});
const SEEN = {
  params: Type.Object({ identities: Type.Array(Type.String()), epochs: Type.Array(Type.Integer()) }),
  layout: EPOCH_VALIDATORS,
} as const;
const validatorsInEpochs = defineRowQuery({ sql: new URL('./validators-in-epochs.sql', import.meta.url), ...SEEN });
const validatorsNear = defineRowQuery({ sql: new URL('./validators-near-epochs.sql', import.meta.url), ...SEEN });

/** A slot's leader, before anything is known of it. */
interface Led {
  readonly slot: number;
  readonly epoch: number;
  readonly identity: Address;
}

type Seen = Pick<Led, 'epoch' | 'identity'>;

const keyOf = ({ epoch, identity }: Seen) => `${epoch}/${identity}`;

export function createLeaderReads(client: StoreClient): LeaderReads {
  function turnsAt(slots: readonly number[]): Promise<LeaderTurnsRow[]> {
    return turnsOfSlots(client, { chunks: [...new Set(slots.map((slot) => Math.floor(slot / CHUNK_SLOTS)))] });
  }

  async function ledAt(slots: readonly number[]): Promise<Led[]> {
    const turns = await turnsAt(slots);
    const found = slots.flatMap((slot) => {
      const row = turns.find((each) => isIn(each, slot));
      return row === undefined ? [] : [{ slot, epoch: row.epoch, schedule: row.schedule, place: placeAt(row, slot) }];
    });
    if (found.length === 0) return [];
    const placeKey = ({ schedule, place }: { readonly schedule: bigint; readonly place: number }) =>
      `${schedule}/${place}`;
    const asked = [...new Map(found.map((each) => [placeKey(each), each])).values()];
    const rows = await leadersAtPlaces(client, {
      epochs: asked.map(({ epoch }) => epoch),
      schedules: asked.map(({ schedule }) => schedule),
      places: asked.map(({ place }) => place),
    });
    const named = new Map(rows.map((row) => [placeKey(row), row.identity]));
    return found.flatMap((each) => {
      const identity = named.get(placeKey(each));
      return identity === undefined ? [] : [{ slot: each.slot, epoch: each.epoch, identity }];
    });
  }

  async function seenIn(wanted: readonly Seen[]): Promise<ReadonlyMap<string, Validator>> {
    const params = (list: readonly Seen[]) => {
      return { identities: list.map(({ identity }) => identity), epochs: list.map(({ epoch }) => epoch) };
    };
    const rows = await validatorsInEpochs(client, params(wanted));
    const known = new Map(rows.map((row) => [keyOf(row), readValidatorRow(row)]));
    const unseen = wanted.filter((each) => !known.has(keyOf(each)));
    if (unseen.length === 0) return known;
    for (const row of await validatorsNear(client, params(unseen))) known.set(keyOf(row), readValidatorRow(row));
    return known;
  }

  return {
    async epochAt(slot) {
      const found = (await turnsAt([slot])).find((each) => isIn(each, slot));
      if (found === undefined) return undefined;
      const { epoch, schedule } = found;
      const span: EpochSpan = { epoch, firstSlot: found.epoch_first_slot, slots: found.epoch_slots };
      const [turns, leaders] = await Promise.all([
        turnsOfEpoch(client, { first: span.firstSlot, last: span.firstSlot + span.slots - 1, epoch }),
        leadersOfEpoch(client, { epoch, schedule }),
      ]);
      const read = readScheduleRows(span, { turns, leaders });
      return read && { span, leaders: read };
    },
    async validators(epoch) {
      const rows = await validatorsOfEpoch(client, { epoch });
      return { epoch: rows[0]?.epoch, validators: rows.map(readValidatorRow) };
    },
    async leadersOf(slots) {
      const wanted = [...new Set(slots)].sort((a, b) => a - b);
      const found = new Map<number, Validator>();
      for (let at = 0; at < wanted.length; at += SLOTS_A_READ) {
        const led = await ledAt(wanted.slice(at, at + SLOTS_A_READ));
        const pairs = [...new Map(led.map((each) => [keyOf(each), each])).values()];
        const known = pairs.length === 0 ? new Map<string, Validator>() : await seenIn(pairs);
        for (const each of led) {
          const { slot, identity } = each;
          found.set(slot, known.get(keyOf(each)) ?? { identity, stake: 0n, commission: 0, isDelinquent: false });
        }
      }
      return found;
    },
  };
}

function isIn({ first_slot, slots }: LeaderTurnsRow, slot: number): boolean {
  return slot >= first_slot && slot < first_slot + slots;
}
