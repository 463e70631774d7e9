import { parseRpcJson } from '../chain/rpc/rpc-json.ts';
import { takeLogin } from '../kernel/url-login.ts';
import { retryAfterMs } from './retry-after.ts';
import { RpcAnswerTooLarge, RpcError, RpcHttpError, RpcThrottled } from './rpc-errors.ts';

/** One answer and what it weighs. */
export interface RpcAnswer {
  readonly result: unknown;
  /** UTF-16 units of its text: bytes, as good as all of it is ASCII. */
  readonly bytes: number;
}

export interface RpcRequest {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly timeoutMs: number;
  /** Unix milliseconds, for what a server says in dates. */
  readonly now: number;
  readonly signal: AbortSignal;
}

/** Sends one JSON-RPC request over HTTP. Throws RpcError, RpcHttpError, RpcThrottled, RpcAnswerTooLarge, or what `fetch` throws. */
export type RpcTransport = (request: RpcRequest) => Promise<RpcAnswer>;

const TOO_MANY_REQUESTS = 429;
/** Rate limits come with these codes, or with any code (that of a skipped slot, too) and a sentence about them. */
const THROTTLE_CODES: ReadonlySet<number> = new Set([429, -429, -32_429]);
const THROTTLE_WORDS = /(?:request|rate)[ -]?limit|too many requests|requests per second/i;

/** A block of mainnet is 2 to 4 MB; the largest that a leader may make, with every log and call, is some ten times that. */
const MAX_ANSWER_BYTES = 64 * 1024 ** 2;

/** No answer is read further than `maxBytes`: what a node makes of a question may be of any size. */
export function createRpcTransport(url: string, maxBytes = MAX_ANSWER_BYTES): RpcTransport {
  const endpoint = takeLogin(url);
  const headers = { 'content-type': 'application/json', ...endpoint.headers };
  let id = 0;
  return async ({ method, params, timeoutMs, now, signal }) => {
    id += 1;
    const response = await fetch(endpoint.url, {
      method: 'POST',
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const text = await readText(response, method, maxBytes);
    const answer = parseAnswer(text);
    // The status comes first: what a limiter in front of the node says in its body may look like the node's own words.
    if (response.status === TOO_MANY_REQUESTS) {
      throw new RpcThrottled(method, 'HTTP status 429', retryAfterMs(response.headers, now));
    }
    if (answer?.error !== undefined && answer.error !== null) {
      const code = Number(answer.error.code);
      const message = String(answer.error.message);
      if (THROTTLE_CODES.has(code) || THROTTLE_WORDS.test(message)) {
        throw new RpcThrottled(method, `${message} (${code})`, retryAfterMs(response.headers, now));
      }
      throw new RpcError(method, code, message);
    }
    if (!response.ok || answer === undefined || !('result' in answer)) {
      throw new RpcHttpError(method, response.status, retryAfterMs(response.headers, now));
    }
    return { result: answer.result, bytes: text.length };
  };
}

async function readText(response: Response, method: string, maxBytes: number): Promise<string> {
  if (response.body === null) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.length;
    // Leaving the loop hangs up.
    if (bytes > maxBytes) throw new RpcAnswerTooLarge(method, maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: unknown; readonly message: unknown } | null;
}

function parseAnswer(text: string): Answer | undefined {
  try {
    const value = parseRpcJson(text);
    return typeof value === 'object' && value !== null ? (value as Answer) : undefined;
  } catch {
    return undefined;
  }
}
