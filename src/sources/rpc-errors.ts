import { MalformedWire } from '../chain/malformed-wire.ts';

/** The node answered with a JSON-RPC error. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;

  constructor(method: string, code: number, message: string) {
    super(`${method}: ${message} (${code})`);
    this.code = code;
  }
}

/** The answer was not a JSON-RPC answer at all. */
export class RpcHttpError extends Error {
  override readonly name = 'RpcHttpError';
  readonly status: number;
  /** Milliseconds the server asks to wait, 0 when it does not say. */
  readonly retryAfterMs: number;

  constructor(method: string, status: number, retryAfterMs: number) {
    super(`${method}: HTTP status ${status}${STATUS_HINTS[status] ?? ''}`);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The node says that we ask too much, in whichever of its ways. */
export class RpcThrottled extends Error {
  override readonly name = 'RpcThrottled';
  /** Milliseconds the server asks to wait, 0 when it does not say. */
  readonly retryAfterMs: number;

  constructor(method: string, reason: string, retryAfterMs: number) {
    super(`${method}: ${reason}`);
    this.retryAfterMs = retryAfterMs;
  }
}

/** The answer is larger than this client reads. */
export class RpcAnswerTooLarge extends Error {
  override readonly name = 'RpcAnswerTooLarge';

  constructor(method: string, maxBytes: number) {
    super(`${method}: more than ${maxBytes} bytes`);
  }
}

/** More callers wait for the node than the client holds. */
export class RpcLineFull extends Error {
  override readonly name = 'RpcLineFull';
}

/** The node, or what stands before it, is what is wrong: it refuses, makes no sense, or cannot be reached. */
export function isNodeTrouble(error: unknown): error is Error {
  if (error instanceof RpcError || error instanceof RpcHttpError || error instanceof RpcThrottled) return true;
  if (error instanceof RpcAnswerTooLarge || error instanceof MalformedWire) return true;
  // `fetch` has a name of its own for what timed out, and a cause for what broke.
  return error instanceof Error && (error.name === 'TimeoutError' || (error instanceof TypeError && !!error.cause));
}

/** Statuses that a person has to mend. */
const STATUS_HINTS: Readonly<Record<number, string>> = {
  401: ', the node wants other credentials in SOLANA_RPC_URL',
  402: ', the plan at the provider is used up',
  403: ', the node refuses this key, method or address',
};

/** JSON-RPC error codes of Solana nodes that a client acts on. */
export const RPC_CODES = {
  blockCleanedUp: -32_001,
  blockNotAvailable: -32_004,
  nodeUnhealthy: -32_005,
  slotSkipped: -32_007,
  longTermSlotSkipped: -32_009,
  historyNotAvailable: -32_011,
  blockStatusNotYetAvailable: -32_014,
  versionNotSupported: -32_015,
  minContextSlotNotReached: -32_016,
  longTermStorageUnreachable: -32_019,
  serverError: -32_000,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
} as const;
