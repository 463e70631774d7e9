import { MAX_KEYS } from '../limits.ts';
import { MalformedWire } from '../malformed-wire.ts';
import { BYTES, type ProtobufCursor, tagOf, VARINT } from './protobuf-cursor.ts';

/**
 * Places of the parts of one transaction in the bytes of its update, as left by a single walk over `Transaction`,
 * `Message` and `TransactionStatusMeta` (solana-storage.proto). A span whose end is 0 is absent.
 */
export class GeyserLayout {
  signatureCount = 0;
  signerCount = 0;
  versioned = false;
  hasLookups = false;
  /** Start of each key's 32 bytes: static, looked-up writable, looked-up read-only. */
  readonly keyOffsets: number[] = [];
  /** From the first instruction to the end of the message. */
  instructionsFrom = 0;
  instructionsTo = 0;
  configFrom = 0;
  configTo = 0;
  errorFrom = 0;
  errorTo = 0;
  /** Lamports: far below 2^53. */
  fee = 0;
  preFrom = 0;
  preTo = 0;
  postFrom = 0;
  postTo = 0;
  innerFrom = 0;
  innerTo = 0;
  innerPresent = true;
  logsFrom = 0;
  logsTo = 0;
  logCount = 0;
  logsPresent = true;
  tokensFrom = 0;
  tokensTo = 0;
}

const SIGNATURE = tagOf(1, BYTES);
const MESSAGE = tagOf(2, BYTES);

/** Walks a `Transaction` from the cursor to `end`. Throws MalformedWire. */
export function scanTransaction(layout: GeyserLayout, cursor: ProtobufCursor, end: number): void {
  while (cursor.at < end) {
    const tag = cursor.varint(end);
    if (tag === MESSAGE) scanMessage(layout, cursor, cursor.delimited(end));
    else if (tag === SIGNATURE) {
      layout.signatureCount++;
      cursor.at = cursor.delimited(end);
    } else cursor.skip(tag, end);
  }
}

const HEADER = tagOf(1, BYTES);
const ACCOUNT_KEY = tagOf(2, BYTES);
export const INSTRUCTION = tagOf(4, BYTES);
const VERSIONED = tagOf(5, VARINT);
const ADDRESS_TABLE_LOOKUP = tagOf(6, BYTES);
const CONFIG = tagOf(7, BYTES);
const REQUIRED_SIGNATURES = tagOf(1, VARINT);

function scanMessage(layout: GeyserLayout, cursor: ProtobufCursor, end: number): void {
  while (cursor.at < end) {
    const start = cursor.at;
    const tag = cursor.varint(end);
    if (tag === ACCOUNT_KEY) scanKeys(layout, cursor, tag, end);
    else if (tag === INSTRUCTION) {
      if (layout.instructionsTo === 0) layout.instructionsFrom = start;
      cursor.at = cursor.delimited(end);
      layout.instructionsTo = cursor.at;
    } else if (tag === HEADER) scanHeader(layout, cursor, cursor.delimited(end));
    else if (tag === VERSIONED) layout.versioned = cursor.varint(end) !== 0;
    else if (tag === CONFIG) {
      const stop = cursor.delimited(end);
      layout.configFrom = cursor.at;
      layout.configTo = stop;
      cursor.at = stop;
    } else {
      if (tag === ADDRESS_TABLE_LOOKUP) layout.hasLookups = true;
      cursor.skip(tag, end);
    }
  }
}

function scanHeader(layout: GeyserLayout, cursor: ProtobufCursor, end: number): void {
  while (cursor.at < end) {
    const tag = cursor.varint(end);
    if (tag === REQUIRED_SIGNATURES) layout.signerCount = cursor.varint(end);
    else cursor.skip(tag, end);
  }
}

/** A key and those right behind it in the same repeated field. */
function scanKeys(layout: GeyserLayout, cursor: ProtobufCursor, tag: number, end: number): void {
  for (;;) {
    layout.keyOffsets.push(scanKey(layout, cursor, end));
    if (cursor.at >= end || cursor.bytes[cursor.at] !== tag) return;
    cursor.at++;
  }
}

function scanKey(layout: GeyserLayout, cursor: ProtobufCursor, end: number): number {
  if (layout.keyOffsets.length === MAX_KEYS) throw new MalformedWire(`more than ${MAX_KEYS} account keys`);
  const stop = cursor.delimited(end);
  const start = cursor.at;
  if (stop - start !== 32) throw new MalformedWire(`an account key of ${stop - start} bytes`);
  cursor.at = stop;
  return start;
}

const ERROR = tagOf(1, BYTES);
const ERROR_BYTES = tagOf(1, BYTES);
const FEE = tagOf(2, VARINT);
/** Packed, as encoders write them, or one by one. */
export const PRE_BALANCES = tagOf(3, BYTES);
export const PRE_BALANCE = tagOf(3, VARINT);
export const POST_BALANCES = tagOf(4, BYTES);
export const POST_BALANCE = tagOf(4, VARINT);
export const INNER_INSTRUCTIONS = tagOf(5, BYTES);
export const LOG_MESSAGE = tagOf(6, BYTES);
export const PRE_TOKEN_BALANCE = tagOf(7, BYTES);
export const POST_TOKEN_BALANCE = tagOf(8, BYTES);
const INNER_INSTRUCTIONS_NONE = tagOf(10, VARINT);
const LOG_MESSAGES_NONE = tagOf(11, VARINT);
const LOADED_WRITABLE = tagOf(12, BYTES);
const LOADED_READONLY = tagOf(13, BYTES);

/** Walks a `TransactionStatusMeta`, after the transaction, from the cursor to `end`. Throws MalformedWire. */
export function scanMeta(layout: GeyserLayout, cursor: ProtobufCursor, end: number): void {
  let writable = layout.keyOffsets.length;
  while (cursor.at < end) {
    const start = cursor.at;
    const tag = cursor.varint(end);
    switch (tag) {
      case LOG_MESSAGE:
        if (layout.logCount === 0) layout.logsFrom = start;
        layout.logCount += cursor.skipRun(tag, end);
        layout.logsTo = cursor.at;
        break;
      case INNER_INSTRUCTIONS:
        if (layout.innerTo === 0) layout.innerFrom = start;
        cursor.skipRun(tag, end);
        layout.innerTo = cursor.at;
        break;
      case PRE_TOKEN_BALANCE:
      case POST_TOKEN_BALANCE:
        if (layout.tokensTo === 0) layout.tokensFrom = start;
        cursor.skipRun(tag, end);
        layout.tokensTo = cursor.at;
        break;
      case LOADED_WRITABLE:
        // Read-only ones follow all writable ones, in whatever order they come; encoders write them in this one.
        if (writable === layout.keyOffsets.length) {
          scanKeys(layout, cursor, tag, end);
          writable = layout.keyOffsets.length;
        } else layout.keyOffsets.splice(writable++, 0, scanKey(layout, cursor, end));
        break;
      case LOADED_READONLY:
        scanKeys(layout, cursor, tag, end);
        break;
      default:
        scanMetaValue(layout, cursor, tag, start, end);
    }
  }
}

/** The parts of the meta that come once. */
function scanMetaValue(layout: GeyserLayout, cursor: ProtobufCursor, tag: number, start: number, end: number): void {
  switch (tag) {
    case FEE:
      layout.fee = cursor.varint(end);
      break;
    case ERROR:
      scanError(layout, cursor, cursor.delimited(end));
      break;
    case PRE_BALANCES:
    case PRE_BALANCE:
      if (layout.preTo === 0) layout.preFrom = start;
      cursor.skip(tag, end);
      layout.preTo = cursor.at;
      break;
    case POST_BALANCES:
    case POST_BALANCE:
      if (layout.postTo === 0) layout.postFrom = start;
      cursor.skip(tag, end);
      layout.postTo = cursor.at;
      break;
    case INNER_INSTRUCTIONS_NONE:
      layout.innerPresent = cursor.varint(end) === 0;
      break;
    case LOG_MESSAGES_NONE:
      layout.logsPresent = cursor.varint(end) === 0;
      break;
    default:
      cursor.skip(tag, end);
  }
}

function scanError(layout: GeyserLayout, cursor: ProtobufCursor, end: number): void {
  // An error message that is there but empty still means "failed".
  layout.errorFrom = layout.errorTo = end;
  while (cursor.at < end) {
    const tag = cursor.varint(end);
    if (tag !== ERROR_BYTES) {
      cursor.skip(tag, end);
      continue;
    }
    layout.errorTo = cursor.delimited(end);
    layout.errorFrom = cursor.at;
    cursor.at = layout.errorTo;
  }
}
