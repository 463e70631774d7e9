import { parseRfc3339 } from './time.ts';

/**
 * The cursor of swap pages: an RFC 3339 time whose fraction has 18 digits and
 * holds the rest of the position, so that it reads as a time and is unique:
 *
 *     2026-08-01T10:00:00.651230001234000017Z
 *                         └─5─┘└──7──┘└─6──┘
 *                   slot mod 10^5  │    └ ix_index
 *                             block_index
 *
 * Five digits of the slot are enough because block times tell slots 10^5 apart
 * (hours) from each other; seven for the place in a block and six for the place
 * in a call tree leave room far above what a block can hold.
 *
 * Any other time is a boundary: `desc` starts before that second, `asc` at it.
 */
export type SwapCursor =
  | {
      readonly kind: 'position';
      /** Unix seconds of the block. */
      readonly time: number;
      readonly slotModulo: number;
      readonly blockIndex: number;
      readonly ixIndex: number;
    }
  | { readonly kind: 'time' /** Unix seconds. */; readonly time: number };

/** Modulus of the slot in a cursor: the cursor holds the last five digits of the slot. */
export const CURSOR_SLOT_MODULO = 100_000;
const BLOCK_INDEX_LIMIT = 10_000_000;
const IX_INDEX_LIMIT = 1_000_000;
/** 9999-12-31T23:59:59Z: the last second that RFC 3339 can write. */
const MAX_TIME_S = 253_402_300_799;

const POSITION = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})\.(\d{5})(\d{7})(\d{6})Z$/;

/** Place of a row as a cursor. Throws a RangeError for what 18 digits cannot hold: a place no block has. */
export function encodeSwapCursor(row: {
  /** Unix seconds. */
  readonly time: number;
  readonly slot: number;
  readonly blockIndex: number;
  readonly ixIndex: number;
}): string {
  const { time, slot, blockIndex, ixIndex } = row;
  if (time < 0 || time > MAX_TIME_S || blockIndex >= BLOCK_INDEX_LIMIT || ixIndex >= IX_INDEX_LIMIT) {
    throw new RangeError(`no swap cursor can hold time ${time}, block_index ${blockIndex}, ix_index ${ixIndex}`);
  }
  const second = new Date(time * 1000).toISOString().slice(0, 19);
  return `${second}.${digits(slot % CURSOR_SLOT_MODULO, 5)}${digits(blockIndex, 7)}${digits(ixIndex, 6)}Z`;
}

/** Reads a cursor or a bare time (with zone); undefined when the text is neither. */
export function decodeSwapCursor(text: string): SwapCursor | undefined {
  const position = POSITION.exec(text);
  if (position !== null) {
    const time = Date.parse(`${position[1]}Z`) / 1000;
    if (Number.isNaN(time)) return undefined;
    return {
      kind: 'position',
      time,
      slotModulo: Number(position[2]),
      blockIndex: Number(position[3]),
      ixIndex: Number(position[4]),
    };
  }
  const milliseconds = parseRfc3339(text);
  return milliseconds === undefined ? undefined : { kind: 'time', time: Math.floor(milliseconds / 1000) };
}

function digits(value: number, width: number): string {
  return String(value).padStart(width, '0');
}
