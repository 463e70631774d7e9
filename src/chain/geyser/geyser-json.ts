import { hasDroppedConfig } from '../compute-budget.ts';
import { encodeBase58 } from '../keys/base58.ts';
import { MalformedWire } from '../malformed-wire.ts';
import { readRpcMessage } from '../rpc/rpc-message.ts';
import { asCount, asList, asObject, type RpcMetaJson } from '../rpc/rpc-shapes.ts';
import { RpcTransaction } from '../rpc/rpc-transaction.ts';
import { decodeTransactionError } from '../transaction-error.ts';

/**
 * A `SubscribeUpdateTransaction` that a gRPC client dumped as JSON: bytes are
 * lists of numbers (or a dumped Buffer), keys and signatures at times base58,
 * names are camelCase.
 */
export interface GeyserJson {
  readonly slot: number;
  readonly info: GeyserInfoJson;
}

interface GeyserInfoJson {
  readonly isVote?: unknown;
  readonly index?: unknown;
  readonly transaction?: unknown;
  readonly meta?: unknown;
}

interface GeyserMessageJson {
  readonly header?: unknown;
  readonly accountKeys?: unknown;
  readonly instructions?: unknown;
  readonly versioned?: unknown;
  readonly addressTableLookups?: unknown;
  readonly config?: unknown;
}

interface GeyserMetaJson extends RpcMetaJson {
  readonly innerInstructionsNone?: unknown;
  readonly logMessagesNone?: unknown;
  readonly loadedWritableAddresses?: unknown;
  readonly loadedReadonlyAddresses?: unknown;
}

interface NestedJson {
  readonly slot?: unknown;
  readonly meta?: unknown;
  readonly transaction?: NestedJson;
}

/** The update in `json`: `{slot, transaction: info}`, or the whole `SubscribeUpdate` around it. */
export function findGeyserJson(json: object): GeyserJson | undefined {
  const { slot, transaction } = json as NestedJson;
  if (transaction?.meta && transaction.transaction) return { slot: slotOf(slot), info: transaction as GeyserInfoJson };
  const inner = transaction?.transaction;
  if (inner?.meta && inner.transaction) return { slot: slotOf(transaction?.slot), info: inner as GeyserInfoJson };
  return undefined;
}

function slotOf(slot: unknown): number {
  return slot === undefined ? 0 : asCount(slot, 'slot');
}

/** The update's transaction, or 'vote'. Throws MalformedWire. */
export function readGeyserJson({ info }: GeyserJson): RpcTransaction | 'vote' {
  if (info.isVote === true) return 'vote';
  const { signatures, message } = asObject<{ signatures?: unknown; message?: unknown }>(
    info.transaction,
    'a transaction',
  );
  const parts = asObject<GeyserMessageJson>(message, 'a message');
  const meta = rpcMeta(asObject<GeyserMetaJson>(info.meta, 'a meta'));
  const transaction = {
    signatures: asList(signatures, 'signatures').map(asBase58),
    message: {
      header: parts.header,
      accountKeys: asList(parts.accountKeys, 'account keys').map(asBase58),
      instructions: asList(parts.instructions, 'instructions').map(withBytes),
      transactionConfig: parts.config,
    },
  };
  const index = info.index === undefined ? 0 : asCount(info.index, 'index');
  const as = (version: unknown) => new RpcTransaction(index, readRpcMessage(transaction, version, meta), meta);
  if (parts.config !== undefined && parts.config !== null) return as(1);
  // Some clients lose `versioned` on the way: looked-up keys tell a v0 all the same.
  const unversioned = as(undefined);
  if (parts.versioned !== true || unversioned.version === 0) return unversioned;
  const hasLookups = Array.isArray(parts.addressTableLookups) && parts.addressTableLookups.length > 0;
  return as(!hasLookups && hasDroppedConfig(unversioned) ? 1 : 0);
}

function rpcMeta(meta: GeyserMetaJson): RpcMetaJson {
  return {
    ...meta,
    err: errorOf(meta.err),
    loadedAddresses: {
      writable: asList(meta.loadedWritableAddresses ?? [], 'loaded addresses').map(asBase58),
      readonly: asList(meta.loadedReadonlyAddresses ?? [], 'loaded addresses').map(asBase58),
    },
    innerInstructions:
      meta.innerInstructionsNone === true
        ? undefined
        : asList(meta.innerInstructions ?? [], 'calls').map(withCallBytes),
    logMessages: meta.logMessagesNone === true ? undefined : meta.logMessages,
  };
}

/** `{err: bytes}` holds bincode; other forms are those of JSON-RPC. */
function errorOf(json: unknown): unknown {
  if (typeof json !== 'object' || json === null || !('err' in json)) return json;
  const { kind, instructionIndex, instructionError, customCode } = decodeTransactionError(bytesOf(json.err));
  if (instructionIndex === undefined) return kind;
  return { [kind]: [instructionIndex, customCode === undefined ? instructionError : { Custom: customCode }] };
}

function withCallBytes(json: unknown): unknown {
  const group = asObject<{ index?: unknown; instructions?: unknown }>(json, 'calls');
  return { index: group.index ?? 0, instructions: asList(group.instructions, 'calls').map(withBytes) };
}

function withBytes(json: unknown): unknown {
  const instruction = asObject<{ accounts?: unknown; data?: unknown }>(json, 'an instruction');
  return { ...instruction, accounts: Array.from(bytesOf(instruction.accounts)), data: bytesOf(instruction.data) };
}

function asBase58(json: unknown): string {
  return typeof json === 'string' ? json : encodeBase58(bytesOf(json));
}

function bytesOf(json: unknown): Uint8Array {
  if (json instanceof Uint8Array) return json;
  if (Array.isArray(json)) return Uint8Array.from(json as number[]);
  const { data } = asObject<{ data?: unknown }>(json, 'bytes');
  if (!Array.isArray(data)) throw new MalformedWire('bytes in a form we do not know');
  return Uint8Array.from(data as number[]);
}
