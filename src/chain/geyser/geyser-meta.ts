import type { LogLines, MessageConfig } from '../block.ts';
import { GeyserLamports } from './geyser-lamports.ts';
import {
  type GeyserLayout,
  LOG_MESSAGE,
  POST_BALANCE,
  POST_BALANCES,
  PRE_BALANCE,
  PRE_BALANCES,
} from './geyser-layout.ts';
import { ProtobufCursor, tagOf, VARINT } from './protobuf-cursor.ts';

const PRE = { packed: PRE_BALANCES, single: PRE_BALANCE } as const;
const POST = { packed: POST_BALANCES, single: POST_BALANCE } as const;

/** Lamports before the transaction, by key. */
export function readPreBalances(bytes: Uint8Array, layout: GeyserLayout): GeyserLamports {
  return new GeyserLamports(bytes, layout.preFrom, layout.preTo, PRE);
}

/** Lamports after the transaction, by key. */
export function readPostBalances(bytes: Uint8Array, layout: GeyserLayout): GeyserLamports {
  return new GeyserLamports(bytes, layout.postFrom, layout.postTo, POST);
}

const PRIORITY_FEE = tagOf(1, VARINT);
const COMPUTE_UNIT_LIMIT = tagOf(2, VARINT);

/** A `TransactionConfig` in bytes[from, to). */
export function readMessageConfig(bytes: Uint8Array, from: number, to: number): MessageConfig {
  let priorityFee: bigint | undefined;
  let computeUnitLimit: number | undefined;
  const cursor = new ProtobufCursor(bytes, from);
  while (cursor.at < to) {
    const tag = cursor.varint(to);
    if (tag === PRIORITY_FEE) priorityFee = cursor.u64(to);
    else if (tag === COMPUTE_UNIT_LIMIT) computeUnitLimit = cursor.varint(to);
    else cursor.skip(tag, to);
  }
  return { priorityFee, computeUnitLimit };
}

/** Log lines where they lie; a line becomes a string each time it is asked for. */
export class GeyserLogLines implements LogLines {
  readonly present: boolean;
  readonly length: number;
  private readonly bytes: Uint8Array;
  private readonly from: number;
  private readonly to: number;
  private text: Buffer | undefined = undefined;
  /** Start and end of each line. */
  private readonly bounds: number[] = [];

  constructor(bytes: Uint8Array, layout: GeyserLayout) {
    this.present = layout.logsPresent;
    this.length = layout.logCount;
    this.bytes = bytes;
    this.from = layout.logsFrom;
    this.to = layout.logsTo;
  }

  at(index: number): string {
    if (index < 0 || index >= this.length) return '';
    this.text ??= this.#locate();
    return this.text.toString('utf8', this.bounds[index * 2], this.bounds[index * 2 + 1]);
  }

  #locate(): Buffer {
    const cursor = new ProtobufCursor(this.bytes, this.from);
    while (cursor.at < this.to) {
      const tag = cursor.varint(this.to);
      if (tag !== LOG_MESSAGE) {
        cursor.skip(tag, this.to);
        continue;
      }
      const end = cursor.delimited(this.to);
      this.bounds.push(cursor.at, end);
      cursor.at = end;
    }
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength);
  }
}
