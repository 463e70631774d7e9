/**
 * Reasons for which a fetch came to nothing:
 * `refused` the URL, or one that it redirects to, is none that is ever asked;
 * `unusable` the host answered with what is no answer: too large, of a wrong type, compressed;
 * `unreachable` the host did not answer, or not in time;
 * `busy` as many fetches are under way as may be.
 */
export type FetchFaultKind = 'refused' | 'unusable' | 'unreachable' | 'busy';

export class FetchFault extends Error {
  override readonly name = 'FetchFault';
  readonly kind: FetchFaultKind;

  constructor(kind: FetchFaultKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/** Every error of a fetch as one of ours: what is not, is the network's. */
export function toFetchFault(error: unknown): FetchFault {
  if (error instanceof FetchFault) return error;
  return new FetchFault('unreachable', error instanceof Error ? error.message : String(error), error);
}
