import { RPC_CODES, RpcError, RpcHttpError } from './rpc-errors.ts';

const GONE_CODES: ReadonlySet<number> = new Set([RPC_CODES.blockCleanedUp, RPC_CODES.historyNotAvailable]);
const SKIPPED_CODES: ReadonlySet<number> = new Set([RPC_CODES.slotSkipped, RPC_CODES.longTermSlotSkipped]);
/** Last words about one block, one list or the oldest block, after the client has asked several times. */
const LOST_CODES: ReadonlySet<number> = new Set([
  RPC_CODES.blockNotAvailable,
  RPC_CODES.blockStatusNotYetAvailable,
  RPC_CODES.longTermStorageUnreachable,
  RPC_CODES.serverError,
  RPC_CODES.internalError,
]);
/** Answers by which providers say that a method or a parameter is not in the plan. */
const REFUSAL_CODES: ReadonlySet<number> = new Set([RPC_CODES.methodNotFound, RPC_CODES.invalidParams, -32_600]);
const REFUSAL_STATUSES: ReadonlySet<number> = new Set([400, 403, 404, 405, 410, 501]);

/** It says that its history no longer has the slot. */
export function isGone(error: unknown): boolean {
  return error instanceof RpcError && GONE_CODES.has(error.code);
}

/** It says that the slot has no block. */
export function isSkipped(error: unknown): boolean {
  return error instanceof RpcError && SKIPPED_CODES.has(error.code);
}

export function isLastWord(error: unknown): boolean {
  return error instanceof RpcError && LOST_CODES.has(error.code);
}

export function isRefusal(error: unknown): boolean {
  if (error instanceof RpcError) return REFUSAL_CODES.has(error.code);
  return error instanceof RpcHttpError && REFUSAL_STATUSES.has(error.status);
}

/** True for errors after which the client does not ask again, and which say nothing about one block. */
export function isFinal(error: unknown): error is RpcError | RpcHttpError {
  if (error instanceof RpcHttpError) return true;
  return error instanceof RpcError && !isSkipped(error) && !isGone(error) && !isLastWord(error);
}

export function explained(error: RpcError | RpcHttpError): Error {
  return error instanceof RpcError && error.code === RPC_CODES.versionNotSupported ? withoutVersion1(error) : error;
}

function withoutVersion1(error: RpcError): Error {
  return new RpcError(
    'getBlock',
    error.code,
    `the node does not give version 1 transactions, which blocks have since slot 447120000 (${error.message})`,
  );
}
