/**
 * Every error the service can answer with. The code is the contract; the
 * message is for people and may change. `retryable` says whether the same
 * request can succeed later; `retryAfter` is sent as Retry-After.
 */
export interface ErrorEntry {
  readonly status: number;
  readonly message: string;
  readonly retryable: boolean;
  /** Whole seconds. */
  readonly retryAfter?: number;
}

export const ERRORS = {
  invalid_mint: entry(400, 'mint must be a base58 address of 32 bytes'),
  invalid_wallet: entry(400, 'wallet must be a base58 address of 32 bytes'),
  invalid_quote: entry(400, 'quote must be empty for SOL, or a base58 address of 32 bytes'),
  invalid_limit: entry(400, 'limit must be a whole number from 1 to the maximum'),
  invalid_cursor: entry(400, 'cursor must be one that this list returned'),
  invalid_time: entry(400, 'time must be RFC 3339, Unix seconds (10 digits) or Unix milliseconds (13 digits)'),
  invalid_window: entry(400, 'window is not one that this route offers'),
  invalid_tf: entry(400, 'tf is not a candle interval'),
  invalid_order: entry(400, 'order must be desc or asc'),
  invalid_slots: entry(400, 'slots is out of range'),
  invalid_days: entry(400, 'days is out of range'),
  invalid_query: entry(400, 'q must have at least 2 characters'),
  invalid_param: entry(400, 'a parameter has a value that this route does not know'),
  conflicting_params: entry(400, 'these parameters cannot be combined'),
  invalid_json: entry(400, 'the body is not valid JSON'),
  invalid_request: entry(400, 'the request is not valid HTTP'),
  missing_api_key: entry(401, 'send your API key in the X-API-Key header'),
  session_required: entry(401, 'sign in with a wallet first'),
  invalid_nonce: entry(401, 'the nonce is unknown, used or expired; ask for a new one'),
  invalid_signature: entry(401, 'the signature is not the wallet’s over this message'),
  metrics_token_required: entry(401, 'send the token of the metrics as Authorization: Bearer'),
  invalid_stream: entry(401, 'the stream token is unknown or its stream is not active'),
  credits_exhausted: entry(402, 'not enough credits for this call'),
  invalid_api_key: entry(403, 'the API key is not known'),
  api_key_revoked: entry(403, 'the API key was revoked'),
  api_key_suspended: entry(403, 'the API key is suspended'),
  account_suspended: entry(403, 'the account is suspended'),
  account_banned: entry(403, 'the account is banned'),
  account_not_ready: entry(403, 'the account is not ready yet'),
  cross_origin: entry(403, 'a session acts only from the pages of its own origin'),
  owner_required: entry(403, 'this needs a key with a bound wallet'),
  not_found: entry(404, 'there is no such route'),
  token_not_found: entry(404, 'nothing is known of this mint'),
  wallet_not_found: entry(404, 'nothing is known of this wallet'),
  group_not_found: entry(404, 'there is no such wallet group'),
  stream_not_found: entry(404, 'there is no such stream'),
  key_not_found: entry(404, 'there is no such key'),
  connection_not_found: entry(404, 'there is no such connection'),
  equity_not_found: entry(404, 'there is no such tokenized equity'),
  image_not_found: entry(404, 'the token has no image'),
  method_not_allowed: entry(405, 'this route does not know the method'),
  request_timeout: entry(408, 'the request did not arrive in time', { retryable: true }),
  group_exists: entry(409, 'a group with this id exists'),
  stream_limit: entry(409, 'the account has as many streams as it may have'),
  key_limit: entry(409, 'the account has as many keys as it may have'),
  body_too_large: entry(413, 'the body is larger than 256 KiB'),
  unsupported_media_type: entry(415, 'send the body as application/json'),
  expectation_failed: entry(417, 'Expect must be 100-continue and nothing else'),
  wallet_list_required: entry(422, 'this kind of stream needs a wallet list'),
  dev_list_invalid: entry(422, 'the developer list cannot be used'),
  unknown_kind: entry(422, 'kinds holds one that is not known'),
  group_full: entry(422, 'a group holds at most 1000 wallets'),
  name_required: entry(422, 'a name is required'),
  name_too_long: entry(422, 'a name has at most 64 characters'),
  too_many_items: entry(422, 'too many items in one request'),
  rate_limited: entry(429, 'too many requests', { retryable: true, retryAfter: 1 }),
  ws_connection_limit: entry(429, 'close a connection before opening another', { retryable: true }),
  too_many_connections: entry(429, 'too many connections from this address', { retryable: true }),
  headers_too_large: entry(431, 'the request headers are too large'),
  internal: entry(500, 'something failed on our side', { retryable: true }),
  warming_up: entry(503, 'the data is still loading', { retryable: true, retryAfter: 5 }),
  lagging: entry(503, 'the data is too far behind the chain', { retryable: true, retryAfter: 5 }),
  keys_unavailable: entry(503, 'keys cannot be checked at the moment', { retryable: true, retryAfter: 2 }),
  credits_unavailable: entry(503, 'credits cannot be charged at the moment', { retryable: true, retryAfter: 2 }),
  storage_unavailable: entry(503, 'the store cannot answer at the moment', { retryable: true, retryAfter: 2 }),
  shutting_down: entry(503, 'the service is stopping', { retryable: true, retryAfter: 2 }),
  query_timeout: entry(504, 'the read did not finish in time; ask for less', { retryable: true }),
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;

/** The same, with the fields that only some have. */
const ERRORS_BY_CODE: Readonly<Record<ErrorCode, ErrorEntry>> = ERRORS;

/** Fields of an error that a client gets besides the catalogue's text. All of them are public. */
export interface ErrorContext {
  readonly message?: string;
  /** Name of the parameter at fault. */
  readonly param?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Value of Cache-Control; `no-store` when left out. */
  readonly cacheControl?: string;
  /** Whole seconds, instead of the catalogue's. */
  readonly retryAfter?: number;
  /** Slot up to which everything was looked at before this was said; left out where no data was. */
  readonly slot?: number;
  /** Internal: logged with server faults, never sent. */
  readonly cause?: unknown;
}

/** Thrown by any room that answers requests. Its message and details reach the client; its cause never does. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly param: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly cacheControl: string | undefined;
  readonly retryAfter: number | undefined;
  readonly slot: number | undefined;

  constructor(code: ErrorCode, context: ErrorContext = {}) {
    super(context.message ?? ERRORS[code].message, { cause: context.cause });
    this.code = code;
    this.param = context.param;
    this.details = context.details;
    this.cacheControl = context.cacheControl;
    this.retryAfter = context.retryAfter ?? ERRORS_BY_CODE[code].retryAfter;
    this.slot = context.slot;
  }

  get entry(): ErrorEntry {
    return ERRORS[this.code];
  }
}

function entry(
  status: number,
  message: string,
  options: { retryable?: boolean; retryAfter?: number } = {},
): ErrorEntry {
  const { retryable = false, retryAfter } = options;
  return retryAfter === undefined ? { status, message, retryable } : { status, message, retryable, retryAfter };
}
