import type { AccountKeys, Instruction, MessageConfig, TransactionVersion } from '../block.ts';
import { ByteInstruction, type CallPlace } from '../call-tree.ts';
import { LazyAccountKeys } from '../keys/account-keys.ts';
import { decodeBase58 } from '../keys/base58.ts';
import { MalformedWire } from '../malformed-wire.ts';
import { VOTE_PROGRAM } from '../well-known.ts';
import { decodeWireTransaction, type WireTransaction } from '../wire-transaction.ts';
import { readInstructionJson } from './rpc-instructions.ts';
import {
  asCount,
  asList,
  asObject,
  asText,
  asTexts,
  asU64,
  type RpcMessageJson,
  type RpcMetaJson,
} from './rpc-shapes.ts';

/** The signed part of a transaction, whichever encoding it came in. */
export interface RpcMessage {
  readonly version: TransactionVersion;
  readonly config: MessageConfig | null | undefined;
  readonly signatureCount: number;
  readonly signerCount: number;
  readonly keys: AccountKeys;
  readonly instructionCount: number;
  /** The first signature. */
  signature(): Uint8Array;
  /** The same as a text, in whatever way costs least: equal for equal signatures of one encoding. */
  signatureKey(): string;
  /** The top-level instruction `place.outer`. */
  instruction(place: CallPlace): Instruction;
}

/** Reads `transaction` of a result: an object, or `[text, encoding]`. Throws MalformedWire. */
export function readRpcMessage(transaction: unknown, version: unknown, meta: RpcMetaJson): RpcMessage {
  if (Array.isArray(transaction)) return new WireMessage(wireBytes(transaction), meta);
  return new JsonMessage(asObject<SignedMessageJson>(transaction, 'a transaction'), version, meta);
}

/** True for what the validator calls a simple vote: one Vote instruction in a legacy message. */
export function isVote(message: RpcMessage): boolean {
  if (message.instructionCount !== 1 || message.version !== 'legacy') return false;
  const vote = message.keys.indexOf(VOTE_PROGRAM);
  return vote !== -1 && message.instruction(FIRST).programIndex === vote;
}

const FIRST: CallPlace = { index: 0, outer: 0, parent: -1, depth: 1 };

function wireBytes([text, encoding]: readonly unknown[]): Uint8Array {
  if (typeof text !== 'string') throw new MalformedWire('a transaction without bytes');
  if (encoding === 'base58') return decodeBase58(text);
  if (encoding !== 'base64') throw new MalformedWire(`a transaction in ${String(encoding)}`);
  const bytes = Buffer.from(text, 'base64');
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** base64 and base58: the bytes that were signed. Looked-up keys are beside them, as text. */
class WireMessage implements RpcMessage {
  readonly version: TransactionVersion;
  readonly config: MessageConfig | undefined;
  readonly signatureCount: number;
  readonly signerCount: number;
  readonly keys: AccountKeys;
  readonly instructionCount: number;
  private readonly wire: WireTransaction;

  constructor(bytes: Uint8Array, meta: RpcMetaJson) {
    const wire = decodeWireTransaction(bytes);
    if (wire.signatureOffsets.length === 0) throw new MalformedWire('a transaction without signatures');
    this.wire = wire;
    this.version = wire.version;
    this.config = wire.config;
    this.signatureCount = wire.signatureOffsets.length;
    this.signerCount = wire.signerCount;
    this.keys = LazyAccountKeys.fromBytes(bytes, wire.keyOffsets, loadedAddresses(meta));
    this.instructionCount = wire.instructions.length;
  }

  signature(): Uint8Array {
    const start = this.wire.signatureOffsets[0]!;
    return this.wire.bytes.slice(start, start + 64);
  }

  signatureKey(): string {
    return Buffer.from(this.signature().buffer).toString('latin1');
  }

  instruction(place: CallPlace): Instruction {
    return new ByteInstruction(this.wire.bytes, place, this.wire.instructions[place.outer]!);
  }
}

interface SignedMessageJson {
  readonly signatures?: unknown;
  readonly message?: unknown;
}

/** json and jsonParsed. */
class JsonMessage implements RpcMessage {
  readonly version: TransactionVersion;
  readonly config: MessageConfig | null | undefined;
  readonly signatureCount: number;
  readonly signerCount: number;
  readonly keys: AccountKeys;
  readonly instructionCount: number;
  private readonly signatures: readonly string[];
  private readonly instructions: readonly unknown[];

  constructor(json: SignedMessageJson, version: unknown, meta: RpcMetaJson) {
    const message = asObject<RpcMessageJson>(json.message, 'a message');
    const keys = asList(message.accountKeys, 'account keys');
    this.signatures = asTexts(json.signatures, 'signatures');
    if (this.signatures.length === 0) throw new MalformedWire('a transaction without signatures');
    this.signatureCount = this.signatures.length;
    if (typeof keys[0] === 'string') {
      const loaded = loadedAddresses(meta);
      this.keys = LazyAccountKeys.fromTexts([...(keys as string[]), ...loaded]);
      this.signerCount = asCount(message.header?.numRequiredSignatures, 'signer count');
      this.version = versionOf(version, loaded.length > 0);
    } else {
      const parsed = keys as readonly ParsedKeyJson[];
      this.keys = LazyAccountKeys.fromTexts(parsed.map((key) => asObject<ParsedKeyJson>(key, 'an account key').pubkey));
      this.signerCount = parsed.filter((key) => key.signer && key.source !== 'lookupTable').length;
      this.version = versionOf(
        version,
        parsed.some((key) => key.source === 'lookupTable'),
      );
    }
    this.config = this.version === 1 ? configOf(message.transactionConfig) : undefined;
    this.instructions = asList(message.instructions, 'instructions');
    this.instructionCount = this.instructions.length;
  }

  signature(): Uint8Array {
    const signature = decodeBase58(asText(this.signatures[0], 'a signature'));
    if (signature.length !== 64) throw new MalformedWire(`a signature of ${signature.length} bytes`);
    return signature;
  }

  signatureKey(): string {
    return asText(this.signatures[0], 'a signature');
  }

  instruction(place: CallPlace): Instruction {
    return readInstructionJson(this.instructions[place.outer], place, this.keys);
  }
}

/** A key of the jsonParsed encoding, looked-up ones included. */
interface ParsedKeyJson {
  readonly pubkey: string;
  readonly signer: boolean;
  readonly source?: string;
}

/** A node that was not told which versions we know leaves the version out; only v0 has looked-up keys. */
function versionOf(version: unknown, hasLookups: boolean): TransactionVersion {
  if (version === 0 || version === 1 || version === 'legacy') return version;
  if (version !== undefined && version !== null) throw new MalformedWire(`a transaction of version ${String(version)}`);
  return hasLookups ? 0 : 'legacy';
}

/** Null when the node dropped the config of a v1 message. */
function configOf(json: unknown): MessageConfig | null {
  if (json === null || json === undefined) return null;
  const { priorityFee, computeUnitLimit } = asObject<{ priorityFee?: unknown; computeUnitLimit?: unknown }>(
    json,
    'config',
  );
  return {
    priorityFee: isUnset(priorityFee) ? undefined : asU64(priorityFee, 'priority fee'),
    computeUnitLimit: isUnset(computeUnitLimit) ? undefined : asCount(computeUnitLimit, 'compute unit limit'),
  };
}

function isUnset(value: unknown): boolean {
  return value === null || value === undefined;
}

function loadedAddresses({ loadedAddresses: loaded }: RpcMetaJson): readonly string[] {
  if (loaded === null || loaded === undefined) return [];
  return [...asTexts(loaded.writable, 'loaded addresses'), ...asTexts(loaded.readonly, 'loaded addresses')];
}
