import type { MessageConfig, TransactionVersion } from './block.ts';
import type { InstructionParts } from './call-tree.ts';
import { MalformedWire } from './malformed-wire.ts';

/** A signed transaction as it travels, with the places of its parts in `bytes`. */
export interface WireTransaction {
  readonly bytes: Uint8Array;
  readonly version: TransactionVersion;
  /** Start of each 64-byte signature. */
  readonly signatureOffsets: readonly number[];
  /** Start of the message, which the signatures sign: bytes[messageFrom, messageTo). */
  readonly messageFrom: number;
  readonly messageTo: number;
  readonly signerCount: number;
  readonly readonlySignerCount: number;
  readonly readonlyUnsignedCount: number;
  /** Start of each static key's 32 bytes. */
  readonly keyOffsets: readonly number[];
  readonly blockhashAt: number;
  readonly instructions: readonly InstructionParts[];
  /** Keys that the address tables add: v0 only. */
  readonly lookupCount: number;
  /** v1 only. */
  readonly config: MessageConfig | undefined;
}

const V0_PREFIX = 0x80;
const V1_PREFIX = 0x81;
const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;

/** Decodes a signed transaction: legacy, v0 or v1 (SIMD-0385). Throws MalformedWire. */
export function decodeWireTransaction(bytes: Uint8Array): WireTransaction {
  const reader = new WireReader(bytes);
  return bytes[0] === V1_PREFIX ? decodeV1(reader) : decodeLegacyOrV0(reader);
}

function decodeLegacyOrV0(reader: WireReader): WireTransaction {
  const signatureOffsets = reader.runs(reader.compactU16(), SIGNATURE_BYTES);
  const messageFrom = reader.at;
  const isVersioned = (reader.peek() & V0_PREFIX) !== 0;
  if (isVersioned && reader.u8() !== V0_PREFIX) throw new MalformedWire('a message of an unknown version');
  const signerCount = reader.u8();
  const readonlySignerCount = reader.u8();
  const readonlyUnsignedCount = reader.u8();
  const keyOffsets = reader.runs(reader.compactU16(), KEY_BYTES);
  const blockhashAt = reader.take(KEY_BYTES);
  const instructionCount = reader.compactU16();
  const instructions: InstructionParts[] = [];
  for (let i = 0; i < instructionCount; i++) {
    const programIndex = reader.u8();
    const accountsLength = reader.compactU16();
    const accountsAt = reader.take(accountsLength);
    const dataLength = reader.compactU16();
    const dataAt = reader.take(dataLength);
    instructions.push({ programIndex, accountsAt, accountsLength, dataAt, dataLength });
  }
  const lookupCount = isVersioned ? skipLookups(reader) : 0;
  reader.assertEnd();
  return {
    bytes: reader.bytes,
    version: isVersioned ? 0 : 'legacy',
    signatureOffsets,
    messageFrom,
    messageTo: reader.at,
    signerCount,
    readonlySignerCount,
    readonlyUnsignedCount,
    keyOffsets,
    blockhashAt,
    instructions,
    lookupCount,
    config: undefined,
  };
}

/** The looked-up keys themselves come with the meta: only their number is of use. */
function skipLookups(reader: WireReader): number {
  const tables = reader.compactU16();
  let keys = 0;
  for (let i = 0; i < tables; i++) {
    reader.take(KEY_BYTES);
    for (let side = 0; side < 2; side++) {
      const indexes = reader.compactU16();
      reader.take(indexes);
      keys += indexes;
    }
  }
  return keys;
}

/** In a v1 transaction everything has a fixed width, and the signatures come last. */
function decodeV1(reader: WireReader): WireTransaction {
  const messageFrom = reader.take(1);
  const signerCount = reader.u8();
  const readonlySignerCount = reader.u8();
  const readonlyUnsignedCount = reader.u8();
  const configMask = reader.u32();
  const blockhashAt = reader.take(KEY_BYTES);
  const instructionCount = reader.u8();
  const keyOffsets = reader.runs(reader.u8(), KEY_BYTES);
  const config = readConfig(reader, configMask);
  const instructions: InstructionParts[] = [];
  for (let i = 0; i < instructionCount; i++) {
    const programIndex = reader.u8();
    const accountsLength = reader.u8();
    const dataLength = reader.u8() | (reader.u8() << 8);
    instructions.push({ programIndex, accountsAt: 0, accountsLength, dataAt: 0, dataLength });
  }
  for (const instruction of instructions) {
    instruction.accountsAt = reader.take(instruction.accountsLength);
    instruction.dataAt = reader.take(instruction.dataLength);
  }
  const messageTo = reader.at;
  const signatureOffsets = reader.runs(signerCount, SIGNATURE_BYTES);
  reader.assertEnd();
  return {
    bytes: reader.bytes,
    version: 1,
    signatureOffsets,
    messageFrom,
    messageTo,
    signerCount,
    readonlySignerCount,
    readonlyUnsignedCount,
    keyOffsets,
    blockhashAt,
    instructions,
    lookupCount: 0,
    config,
  };
}

/** Bits 0 and 1 belong to the u64 priority fee and come together; bit 2 is the compute-unit limit. */
const PRIORITY_FEE_BITS = 0b11;
const COMPUTE_UNIT_LIMIT_BIT = 0b100;
const FIRST_OTHER_BIT = 3;

function readConfig(reader: WireReader, mask: number): MessageConfig {
  const feeBits = mask & PRIORITY_FEE_BITS;
  if (feeBits !== 0 && feeBits !== PRIORITY_FEE_BITS) throw new MalformedWire('half a priority fee');
  const priorityFee = feeBits === 0 ? undefined : reader.u64();
  const computeUnitLimit = (mask & COMPUTE_UNIT_LIMIT_BIT) === 0 ? undefined : reader.u32();
  // Whatever the other bits mean, each has four bytes.
  for (let bit = FIRST_OTHER_BIT; bit < 32; bit++) if (((mask >>> bit) & 1) === 1) reader.take(4);
  return { priorityFee, computeUnitLimit };
}

/** Steps through bytes and throws MalformedWire rather than pass their end. */
class WireReader {
  readonly bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Steps over `length` bytes and returns where they start. */
  take(length: number): number {
    const start = this.at;
    if (start + length > this.bytes.length) throw new MalformedWire('a transaction that ends early');
    this.at = start + length;
    return start;
  }

  /** Starts of `count` runs of `width` bytes. */
  runs(count: number, width: number): number[] {
    const first = this.take(count * width);
    return Array.from({ length: count }, (_, i) => first + i * width);
  }

  peek(): number {
    return this.bytes[this.at] ?? 0;
  }

  u8(): number {
    return this.bytes[this.take(1)]!;
  }

  u32(): number {
    const at = this.take(4);
    return (
      (this.bytes[at]! | (this.bytes[at + 1]! << 8) | (this.bytes[at + 2]! << 16) | (this.bytes[at + 3]! << 24)) >>> 0
    );
  }

  u64(): bigint {
    const low = this.u32();
    return (BigInt(this.u32()) << 32n) | BigInt(low);
  }

  /** Seven bits a byte, at most three bytes. */
  compactU16(): number {
    let value = 0;
    for (let shift = 0; shift < 21; shift += 7) {
      const byte = this.u8();
      value |= (byte & 127) << shift;
      if (byte < 128) {
        if (value > 65_535) break;
        return value;
      }
    }
    throw new MalformedWire('a length above 65,535');
  }

  assertEnd(): void {
    if (this.at !== this.bytes.length)
      throw new MalformedWire(`${this.bytes.length - this.at} bytes after the transaction`);
  }
}
