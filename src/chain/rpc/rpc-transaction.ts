import type {
  AccountKeys,
  Instruction,
  LogLines,
  MessageConfig,
  TokenBalance,
  Transaction,
  TransactionError,
  TransactionVersion,
} from '../block.ts';
import { type CallPlace, CallStack } from '../call-tree.ts';
import { TextLogLines } from '../log-lines.ts';
import { MalformedWire } from '../malformed-wire.ts';
import { isLoadFailure, parseTransactionError } from '../transaction-error.ts';
import { readInstructionJson } from './rpc-instructions.ts';
import type { RpcMessage } from './rpc-message.ts';
import { asCount, asList, asObject, asU64, type RpcMetaJson } from './rpc-shapes.ts';
import { readTokenBalancesJson } from './rpc-token-balances.ts';

/**
 * A transaction of RPC JSON. Each part is read when it is first asked for; what
 * is malformed then throws MalformedWire.
 */
export class RpcTransaction implements Transaction {
  readonly index: number;
  readonly signatureCount: number;
  readonly signerCount: number;
  readonly version: TransactionVersion;
  readonly config: MessageConfig | null | undefined;
  readonly keys: AccountKeys;
  readonly fee: bigint;
  readonly error: TransactionError | null;
  readonly dataEncoding?: 'base58';
  private readonly message: RpcMessage;
  private readonly meta: RpcMetaJson;
  private readonly groups: readonly CallGroup[];
  private readSignature: Uint8Array | undefined = undefined;
  private readInstructions: Instruction[] | undefined = undefined;
  private readTokens: TokenBalance[] | undefined = undefined;
  private readPre: bigint[] | undefined = undefined;
  private readPost: bigint[] | undefined = undefined;
  private readLogs: LogLines | undefined = undefined;

  constructor(index: number, message: RpcMessage, meta: RpcMetaJson, dataEncoding?: 'base58') {
    if (dataEncoding !== undefined) this.dataEncoding = dataEncoding;
    this.index = index;
    this.message = message;
    this.meta = meta;
    this.signatureCount = message.signatureCount;
    this.signerCount = message.signerCount;
    this.version = message.version;
    this.config = message.config;
    this.keys = message.keys;
    this.fee = asU64(meta.fee, 'fee');
    this.error = parseTransactionError(meta.err);
    // Checked at once, as it tells a message and a meta apart that don't belong together.
    this.groups = groupsOf(meta.innerInstructions, message.instructionCount);
  }

  get signature(): Uint8Array {
    this.readSignature ??= this.message.signature();
    return this.readSignature;
  }

  get instructions(): readonly Instruction[] {
    this.readInstructions ??= readCalls(this.message, this.groups);
    return this.readInstructions;
  }

  get tokenBalances(): readonly TokenBalance[] {
    this.readTokens ??= readTokenBalancesJson(this.meta.preTokenBalances, this.meta.postTokenBalances);
    return this.readTokens;
  }

  get preBalances(): readonly bigint[] {
    this.readPre ??= lamportsOf(this.meta.preBalances);
    return this.readPre;
  }

  get postBalances(): readonly bigint[] {
    this.readPost ??= lamportsOf(this.meta.postBalances);
    return this.readPost;
  }

  get hasInnerInstructions(): boolean {
    return Array.isArray(this.meta.innerInstructions) && !isLoadFailure(this.error, this.logs.length);
  }

  get logs(): LogLines {
    this.readLogs ??= new TextLogLines(linesOf(this.meta.logMessages));
    return this.readLogs;
  }
}

function lamportsOf(json: unknown): bigint[] {
  return asList(json, 'balances').map((lamports) => asU64(lamports, 'lamports'));
}

function linesOf(json: unknown): readonly string[] | undefined {
  return Array.isArray(json) ? (json as readonly string[]) : undefined;
}

/** The calls that one top-level instruction made. */
interface CallGroup {
  readonly outer: number;
  readonly instructions: readonly unknown[];
}

function readCalls(message: RpcMessage, groups: readonly CallGroup[]): Instruction[] {
  const instructions: Instruction[] = [];
  const stack = new CallStack();
  const place: CallPlace = { index: 0, outer: 0, parent: -1, depth: 1 };
  let nextGroup = 0;
  for (let outer = 0; outer < message.instructionCount; outer++) {
    place.index = instructions.length;
    place.outer = outer;
    place.parent = -1;
    place.depth = 1;
    stack.open(place.index);
    instructions.push(message.instruction(place));
    for (; nextGroup < groups.length && groups[nextGroup]!.outer === outer; nextGroup++) {
      for (const json of groups[nextGroup]!.instructions) {
        place.index = instructions.length;
        place.depth = stack.enter(place.index, stackHeightOf(json));
        place.parent = stack.callerAt(place.depth);
        instructions.push(readInstructionJson(json, place, message.keys));
      }
    }
  }
  return instructions;
}

function groupsOf(json: unknown, instructionCount: number): CallGroup[] {
  if (json === null || json === undefined) return [];
  const groups = asList(json, 'inner instructions').map((entry): CallGroup => {
    const { index, instructions } = asObject<{ index?: unknown; instructions?: unknown }>(entry, 'inner instructions');
    const outer = asCount(index, 'instruction index');
    if (outer >= instructionCount) throw new MalformedWire(`calls of instruction ${outer} of ${instructionCount}`);
    return { outer, instructions: asList(instructions, 'inner instructions') };
  });
  return groups.sort((a, b) => a.outer - b.outer);
}

function stackHeightOf(json: unknown): number {
  const { stackHeight } = asObject<{ stackHeight?: unknown }>(json, 'an instruction');
  return typeof stackHeight === 'number' ? stackHeight : 0;
}
