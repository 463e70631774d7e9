import type { Journal } from '../../kernel/journal.ts';
import type { Block, Transaction } from '../block.ts';
import { toBlockTime } from '../block-time.ts';
import { knownBlockhash } from '../known-blockhash.ts';
import { MalformedWire } from '../malformed-wire.ts';
import { GeyserLayout, scanMeta, scanTransaction } from './geyser-layout.ts';
import { GeyserTransaction, SIGNATURE_BYTES } from './geyser-transaction.ts';
import { BYTES, ProtobufCursor, tagOf, VARINT } from './protobuf-cursor.ts';

/** A Yellowstone `SubscribeUpdate`, as far as we use it. */
export type GeyserUpdate =
  | { readonly kind: 'block'; readonly block: Block }
  /** A single transaction, as a block that is not whole; without transactions when it is a vote. */
  | { readonly kind: 'transaction'; readonly block: Block }
  | { readonly kind: 'slot'; readonly slot: number; readonly parent: number | undefined; readonly status: SlotStatus }
  | { readonly kind: 'ping' }
  | { readonly kind: 'pong' }
  | { readonly kind: 'other' };

const SLOT_STATUSES = [
  'processed',
  'confirmed',
  'finalized',
  'first_shred_received',
  'completed',
  'created_bank',
  'dead',
] as const;
export type SlotStatus = (typeof SLOT_STATUSES)[number] | 'unknown';

const SUBJECT = 'geyser-protobuf';

const UPDATE_SLOT = tagOf(3, BYTES);
const UPDATE_TRANSACTION = tagOf(4, BYTES);
const UPDATE_BLOCK = tagOf(5, BYTES);
const UPDATE_PING = tagOf(6, BYTES);
const UPDATE_PONG = tagOf(9, BYTES);

/**
 * Reads a `SubscribeUpdate`. Bytes are kept and read on demand, never copied:
 * don't reuse them. A malformed transaction of a block is noted and left out;
 * an update that is malformed itself throws MalformedWire.
 */
export function readGeyserUpdate(input: Uint8Array, journal: Journal): GeyserUpdate {
  const bytes = plainBytes(input);
  const end = bytes.length;
  const cursor = new ProtobufCursor(bytes, 0);
  let update: GeyserUpdate = { kind: 'other' };
  while (cursor.at < end) {
    const tag = cursor.varint(end);
    if ((tag & 7) !== BYTES) {
      cursor.skip(tag, end);
      continue;
    }
    const stop = cursor.delimited(end);
    if (tag === UPDATE_BLOCK) update = { kind: 'block', block: readBlock(cursor, stop, journal) };
    else if (tag === UPDATE_TRANSACTION) update = { kind: 'transaction', block: readSingle(cursor, stop, journal) };
    else if (tag === UPDATE_SLOT) update = readSlot(cursor, stop);
    else if (tag === UPDATE_PING) update = { kind: 'ping' };
    else if (tag === UPDATE_PONG) update = { kind: 'pong' };
    cursor.at = stop;
  }
  return update;
}

/** Reads a `SubscribeUpdate` that must hold a block. Throws MalformedWire when it holds anything else. */
export function readGeyserBlock(bytes: Uint8Array, journal: Journal): Block {
  const update = readGeyserUpdate(bytes, journal);
  if (update.kind !== 'block') throw new MalformedWire(`an update with a ${update.kind} instead of a block`);
  return update.block;
}

/** A Buffer's views are Buffers, and slower: read everything as plain bytes over the same memory. */
function plainBytes(input: Uint8Array): Uint8Array {
  return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
}

/** Of slots and counts: no store has room for more. */
const MAX_U32 = 0xffff_ffff;

const BLOCK_SLOT = tagOf(1, VARINT);
const BLOCKHASH = tagOf(2, BYTES);
const BLOCK_TIME = tagOf(4, BYTES);
const BLOCK_TRANSACTION = tagOf(6, BYTES);
const PARENT_SLOT = tagOf(7, VARINT);
const PARENT_BLOCKHASH = tagOf(8, BYTES);
const EXECUTED_TRANSACTION_COUNT = tagOf(9, VARINT);

function readBlock(cursor: ProtobufCursor, end: number, journal: Journal): Block {
  const transactions: Transaction[] = [];
  let slot = 0;
  let parentSlot = 0;
  let blockhash = '';
  let parentBlockhash: string | undefined;
  let blockTime: number | null = null;
  let executed = 0;
  let seen = 0;
  let voteCount = 0;
  while (cursor.at < end) {
    const tag = cursor.varint(end);
    if (tag === BLOCK_TRANSACTION) {
      const stop = cursor.delimited(end);
      const transaction = readTransactionInfo(cursor, stop, journal, seen);
      seen++;
      if (transaction === 'vote') voteCount++;
      else if (transaction !== undefined) transactions.push(transaction);
      cursor.at = stop;
    } else if (tag === BLOCK_SLOT) slot = cursor.varint(end);
    else if (tag === BLOCKHASH) blockhash = readText(cursor, cursor.delimited(end));
    else if (tag === BLOCK_TIME) blockTime = readTimestamp(cursor, cursor.delimited(end));
    else if (tag === PARENT_SLOT) parentSlot = cursor.varint(end);
    else if (tag === PARENT_BLOCKHASH) parentBlockhash = knownBlockhash(readText(cursor, cursor.delimited(end)));
    else if (tag === EXECUTED_TRANSACTION_COUNT) executed = cursor.varint(end);
    else cursor.skip(tag, end);
  }
  if (Math.max(slot, parentSlot, executed) > MAX_U32)
    throw new MalformedWire(`a block of slot ${slot} behind ${parentSlot}`);
  // A filtered subscription sends blocks with some of their transactions: those close no slot.
  const whole = seen >= executed;
  const transactionCount = Math.max(seen, executed);
  return {
    slot,
    blockhash,
    parentSlot,
    parentBlockhash,
    blockTime: toBlockTime(blockTime, slot, SUBJECT, journal),
    transactions,
    transactionCount,
    voteCount,
    whole,
  };
}

const SINGLE_INFO = tagOf(1, BYTES);
const SINGLE_SLOT = tagOf(2, VARINT);

function readSingle(cursor: ProtobufCursor, end: number, journal: Journal): Block {
  let transaction: Transaction | 'vote' | undefined;
  let slot = 0;
  while (cursor.at < end) {
    const tag = cursor.varint(end);
    if (tag === SINGLE_INFO) {
      const stop = cursor.delimited(end);
      transaction = readTransactionInfo(cursor, stop, journal, 0);
      cursor.at = stop;
    } else if (tag === SINGLE_SLOT) slot = cursor.varint(end);
    else cursor.skip(tag, end);
  }
  const isVote = transaction === 'vote';
  const transactions = transaction === undefined || transaction === 'vote' ? [] : [transaction];
  return {
    slot,
    blockhash: '',
    parentSlot: 0,
    blockTime: null,
    transactions,
    transactionCount: 1,
    voteCount: isVote ? 1 : 0,
    whole: false,
  };
}

const INFO_SIGNATURE = tagOf(1, BYTES);
const INFO_IS_VOTE = tagOf(2, VARINT);
const INFO_TRANSACTION = tagOf(3, BYTES);
const INFO_META = tagOf(4, BYTES);
const INFO_INDEX = tagOf(5, VARINT);

/** Undefined when it is malformed, which is noted: one bad transaction must not cost a block. */
function readTransactionInfo(
  cursor: ProtobufCursor,
  end: number,
  journal: Journal,
  place: number,
): Transaction | 'vote' | undefined {
  try {
    return scanTransactionInfo(cursor, end);
  } catch (error) {
    if (!(error instanceof MalformedWire)) throw error;
    journal.note({ code: 'malformed_transaction', subject: SUBJECT, detail: { place, message: error.message } });
    return undefined;
  }
}

function scanTransactionInfo(cursor: ProtobufCursor, end: number): Transaction | 'vote' {
  let index = 0;
  let isVote = false;
  let signatureAt = 0;
  let signatureLength = 0;
  let transactionAt = 0;
  let transactionEnd = 0;
  let metaAt = 0;
  let metaEnd = 0;
  while (cursor.at < end && !isVote) {
    const tag = cursor.varint(end);
    if (tag === INFO_SIGNATURE) {
      const stop = cursor.delimited(end);
      signatureAt = cursor.at;
      signatureLength = stop - cursor.at;
      cursor.at = stop;
    } else if (tag === INFO_IS_VOTE) isVote = cursor.varint(end) !== 0;
    else if (tag === INFO_TRANSACTION) {
      transactionEnd = cursor.delimited(end);
      transactionAt = cursor.at;
      cursor.at = transactionEnd;
    } else if (tag === INFO_META) {
      metaEnd = cursor.delimited(end);
      metaAt = cursor.at;
      cursor.at = metaEnd;
    } else if (tag === INFO_INDEX) index = cursor.varint(end);
    else cursor.skip(tag, end);
  }
  if (isVote) return 'vote';
  if (signatureLength !== SIGNATURE_BYTES) throw new MalformedWire(`a signature of ${signatureLength} bytes`);
  if (transactionEnd === 0 || metaEnd === 0) throw new MalformedWire('a transaction without message or meta');
  const layout = new GeyserLayout();
  cursor.at = transactionAt;
  scanTransaction(layout, cursor, transactionEnd);
  cursor.at = metaAt;
  scanMeta(layout, cursor, metaEnd);
  return new GeyserTransaction(cursor.bytes, index, signatureAt, layout);
}

const SLOT_SLOT = tagOf(1, VARINT);
const SLOT_PARENT = tagOf(2, VARINT);
const SLOT_STATUS = tagOf(3, VARINT);

function readSlot(cursor: ProtobufCursor, end: number): GeyserUpdate {
  let slot = 0;
  let parent: number | undefined;
  let status: SlotStatus = 'processed';
  while (cursor.at < end) {
    const tag = cursor.varint(end);
    if (tag === SLOT_SLOT) slot = cursor.varint(end);
    else if (tag === SLOT_PARENT) parent = cursor.varint(end);
    else if (tag === SLOT_STATUS) status = SLOT_STATUSES[cursor.varint(end)] ?? 'unknown';
    else cursor.skip(tag, end);
  }
  if (Math.max(slot, parent ?? 0) > MAX_U32) throw new MalformedWire(`a status of slot ${slot} behind ${parent}`);
  return { kind: 'slot', slot, parent, status };
}

function readText(cursor: ProtobufCursor, end: number): string {
  const { bytes, at } = cursor;
  cursor.at = end;
  return Buffer.from(bytes.buffer, bytes.byteOffset + at, end - at).toString('latin1');
}

/** Unix seconds; a timestamp of 0 is one that the node did not know. */
function readTimestamp(cursor: ProtobufCursor, end: number): number | null {
  let timestamp = 0;
  while (cursor.at < end) {
    const tag = cursor.varint(end);
    if (tag === tagOf(1, VARINT)) timestamp = cursor.varint(end);
    else cursor.skip(tag, end);
  }
  return timestamp === 0 ? null : timestamp;
}
