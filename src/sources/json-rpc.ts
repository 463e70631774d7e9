import { parseRpcJson } from '../chain/rpc-json.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import { type RetryDecision, withRetry } from '../kernel/retry.ts';

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
    super(`${method}: HTTP status ${status}`);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** JSON-RPC server error codes of Solana nodes that a client acts on. */
export const RPC_CODES = {
  blockCleanedUp: -32_001,
  blockNotAvailable: -32_004,
  nodeUnhealthy: -32_005,
  slotSkipped: -32_007,
  longTermSlotSkipped: -32_009,
  historyNotAvailable: -32_011,
  blockStatusNotYetAvailable: -32_014,
  minContextSlotNotReached: -32_016,
  longTermStorageUnreachable: -32_019,
  tooManyRequests: -32_429,
} as const;

/** Come right by themselves when asked again. */
const PASSING_CODES: ReadonlySet<number> = new Set([
  RPC_CODES.blockNotAvailable,
  RPC_CODES.nodeUnhealthy,
  RPC_CODES.blockStatusNotYetAvailable,
  RPC_CODES.minContextSlotNotReached,
  RPC_CODES.longTermStorageUnreachable,
  RPC_CODES.tooManyRequests,
  429,
]);
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

const REQUEST_TIMEOUT_MS = 30_000;
const RETRY_BASE_MS = 200;
const RETRY_MAX_MS = 10_000;
/** Over an hour at the longest delay: a node may be away for an upgrade. */
const MAX_TRIES = 500;
/** No server gets to park us for longer. */
const MAX_RETRY_AFTER_MS = 60_000;

export interface RpcClientOptions {
  /** May hold a user and a password, which are sent as Basic authorization. */
  readonly url: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly random?: () => number;
}

export interface RpcClient {
  /**
   * The result of one call, u64-safe, retried while the trouble may pass.
   * @throws {RpcError} what the node refuses for good.
   * @throws {RpcHttpError} a status that will not change.
   */
  call(method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown>;
}

export function createRpcClient({ url, clock, log, random }: RpcClientOptions): RpcClient {
  const endpoint = readEndpoint(url);
  let id = 0;

  async function attempt(method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown> {
    id += 1;
    const response = await fetch(endpoint.url, {
      method: 'POST',
      headers: endpoint.headers,
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
    });
    const text = await response.text();
    const answer = parseAnswer(text);
    if (answer?.error !== undefined) {
      throw new RpcError(method, Number(answer.error.code), String(answer.error.message));
    }
    if (!response.ok || answer === undefined || !('result' in answer)) {
      throw new RpcHttpError(method, response.status, retryAfterMs(response.headers.get('retry-after'), clock.now()));
    }
    return answer.result;
  }

  return {
    call(method, params, signal) {
      return withRetry(
        {
          clock,
          signal,
          baseMs: RETRY_BASE_MS,
          maxMs: RETRY_MAX_MS,
          maxTries: MAX_TRIES,
          judge,
          onRetry: (error, delayMs) => {
            const fields = { method, delay_ms: Math.round(delayMs), err: reasonOf(error) };
            // At the tip a node's "not yet" is its daily bread; no answer at all is not.
            if (error instanceof RpcError) log.debug(fields, 'asking the node again');
            else log.warn(fields, 'the node did not answer; asking again');
          },
          ...(random === undefined ? {} : { random }),
        },
        () => attempt(method, params, signal),
      );
    },
  };
}

/** `fetch` refuses a URL with credentials, and shows them in its refusal. */
function readEndpoint(text: string): { readonly url: string; readonly headers: Readonly<Record<string, string>> } {
  const url = new URL(text);
  const headers = { 'content-type': 'application/json' };
  if (url.username === '' && url.password === '') return { url: text, headers };
  const login = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = '';
  url.password = '';
  return { url: url.href, headers: { ...headers, authorization: `Basic ${Buffer.from(login).toString('base64')}` } };
}

/** `fetch` says no more than "fetch failed": what happened is its cause. */
function reasonOf(error: unknown): string {
  return String(error instanceof TypeError && error.cause !== undefined ? error.cause : error);
}

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: unknown; readonly message: unknown };
}

function parseAnswer(text: string): Answer | undefined {
  try {
    const value = parseRpcJson(text);
    return typeof value === 'object' && value !== null ? (value as Answer) : undefined;
  } catch {
    return undefined;
  }
}

function judge(error: unknown): RetryDecision {
  if (error instanceof RpcError) return { retry: PASSING_CODES.has(error.code) };
  if (error instanceof RpcHttpError) {
    // A 200 that is no JSON-RPC answer is a proxy's page: it passes too.
    return { retry: PASSING_STATUSES.has(error.status) || error.status === 200, afterMs: error.retryAfterMs };
  }
  // What is left is the network: refused, reset, timed out.
  return { retry: true };
}

/** `Retry-After` is in seconds or an HTTP date. */
function retryAfterMs(header: string | null, now: number): number {
  if (header === null) return 0;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - now;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS) : 0;
}
