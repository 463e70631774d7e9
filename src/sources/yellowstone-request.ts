import type { Commitment } from './source.ts';

/**
 * The few messages we send on `geyser.Geyser/Subscribe`, written by hand:
 * field numbers from the service's public geyser.proto.
 */
const FIELD = { slots: 2, blocks: 4, commitment: 6, ping: 9, fromSlot: 11 } as const;
const MAP_ENTRY = { key: 1, value: 2 } as const;
const SLOTS_FILTER = { filterByCommitment: 1, interslotUpdates: 2 } as const;
const BLOCKS_FILTER = { includeTransactions: 2, includeAccounts: 3, includeEntries: 4 } as const;
const PING = { id: 1 } as const;
const COMMITMENT_LEVELS: Readonly<Record<Commitment, number>> = { processed: 0, confirmed: 1 };
const FILTER_NAME = new TextEncoder().encode('mintscope');

export interface Subscription {
  /** Of the blocks. Slot statuses come of every commitment. */
  readonly commitment: Commitment;
  /** First slot to stream; undefined for the newest block. */
  readonly fromSlot: number | undefined;
}

/**
 * Whole blocks with all their transactions, failed ones and votes too, and
 * every slot status: only the updates between commitments tell of dead slots.
 */
export function encodeSubscribeRequest({ commitment, fromSlot }: Subscription): Buffer {
  return Buffer.from([
    ...nested(
      FIELD.slots,
      filter([...varintField(SLOTS_FILTER.filterByCommitment, 0), ...varintField(SLOTS_FILTER.interslotUpdates, 1)]),
    ),
    ...nested(
      FIELD.blocks,
      filter([
        ...varintField(BLOCKS_FILTER.includeTransactions, 1),
        ...varintField(BLOCKS_FILTER.includeAccounts, 0),
        ...varintField(BLOCKS_FILTER.includeEntries, 0),
      ]),
    ),
    ...varintField(FIELD.commitment, COMMITMENT_LEVELS[commitment]),
    ...(fromSlot === undefined ? [] : varintField(FIELD.fromSlot, fromSlot)),
  ]);
}

/** Both the answer to a server's ping and a sign of life of our own: a proxy between would cut a silent stream. */
export function encodePing(id: number): Buffer {
  return Buffer.from(nested(FIELD.ping, varintField(PING.id, id)));
}

/** One named filter: an entry of a protobuf map. */
function filter(value: readonly number[]): number[] {
  return [...nested(MAP_ENTRY.key, [...FILTER_NAME]), ...nested(MAP_ENTRY.value, value)];
}

function nested(field: number, body: readonly number[]): number[] {
  return [...varint(field * 8 + 2), ...varint(body.length), ...body];
}

function varintField(field: number, value: number): number[] {
  return [...varint(field * 8), ...varint(value)];
}

/** Slots are safe integers beyond 32 bits one day, so no bit operators. */
function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) + 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
  return bytes;
}
