import type { RowOf, TableLayout } from './table-layout.ts';

/** Tables of epochs, written beside ingest: who leads which slots, and what was known of validators. */

/** Slots, counted from slot 0, of which a row of `leader_turns` tells. */
export const CHUNK_SLOTS = 4_096;

/** Turns of leaders in one chunk of slots, as far as it lies in one epoch. */
export const LEADER_TURNS = {
  name: 'leader_turns',
  columns: {
    chunk: 'u32',
    epoch: 'u32',
    first_slot: 'u32',
    slots: 'u16',
    /** Slots of a turn: 4, or 1 where leaders change at other places. */
    turn_slots: 'u8',
    /** Sum of the whole epoch's schedule, by which its leaders are found. */
    schedule: 'u64',
    epoch_first_slot: 'u32',
    epoch_slots: 'u32',
    stored_at: 'time',
    /** For each turn the leader's place in `epoch_leaders`: two bytes, little endian. */
    places: 'bytes',
  },
} as const satisfies TableLayout;

/** Leaders of an epoch by their place: those with the most slots first. */
export const EPOCH_LEADERS = {
  name: 'epoch_leaders',
  columns: { epoch: 'u32', schedule: 'u64', place: 'u16', identity: 'account' },
} as const satisfies TableLayout;

/** A validator as it was last known in an epoch. What nobody told is empty. */
export const EPOCH_VALIDATORS = {
  name: 'epoch_validators',
  columns: {
    identity: 'account',
    epoch: 'u32',
    checked_at: 'time',
    vote: 'address',
    name: 'string',
    version: 'string',
    /** One more than the client's number in gossip; 0 when nobody told. */
    client: 'u32',
    stake: 'u64',
    commission: 'u8',
    delinquent: 'bool',
    gossip_ip: 'string',
    /** 1 no, 2 yes, 0 when nobody told. */
    shares_tips: 'u8',
  },
} as const satisfies TableLayout;

export type LeaderTurnsRow = RowOf<typeof LEADER_TURNS>;
export type EpochLeaderRow = RowOf<typeof EPOCH_LEADERS>;
export type EpochValidatorRow = RowOf<typeof EPOCH_VALIDATORS>;

export const LEADER_TABLES = [LEADER_TURNS, EPOCH_LEADERS, EPOCH_VALIDATORS] as const;
