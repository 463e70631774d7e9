export type ReadFaultCode =
  /** The asker has as many requests that read as it may have. */
  | 'over_share'
  /** More wait for the store than may wait. */
  | 'too_busy'
  /** Not done in the time that a read may take. */
  | 'timed_out'
  /** The store answered, but not with all the rows that it says there are: nothing follows from those that came. */
  | 'incomplete'
  /** Something else than the store answered, or nothing: a proxy's page, a connection that ended without a word. */
  | 'unreachable'
  /** Nobody waits for it any more. */
  | 'abandoned';

/** A read of the store that came to nothing, where the store itself named no error. */
export class ReadFault extends Error {
  override readonly name = 'ReadFault';
  readonly code: ReadFaultCode;
  /** Whole seconds after which asking again may help; undefined where nobody knows. */
  readonly retryAfter: number | undefined;

  constructor(code: ReadFaultCode, message: string, retryAfter?: number, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

const OF_STORE: ReadonlySet<ReadFaultCode> = new Set(['timed_out', 'incomplete', 'unreachable']);

/** False for what ended a read on account of who asked: they left, or may not read more. It says nothing of the next one's. */
export function isOfStore(error: unknown): boolean {
  return !(error instanceof ReadFault) || OF_STORE.has(error.code);
}
