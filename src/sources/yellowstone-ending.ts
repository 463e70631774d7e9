import { type ServiceError, status } from '@grpc/grpc-js';

/** The end of a stream, as far as it decides how the next one is opened. */
export interface StreamEnding {
  /** A gRPC status; undefined where the stream was given up by us. */
  readonly code: number | undefined;
  /** For the log. */
  readonly reason: string;
  /**
   * `busy`: the endpoint is away or wants fewer connections, and says nothing of what was asked.
   * `too-large`: a message is over a limit of sizes, the endpoint's or ours. `refused`: asking the same again will not
   * help. `other`: all else.
   */
  readonly kind: 'busy' | 'too-large' | 'refused' | 'other';
  /** The endpoint says of itself that it replays nothing, whatever the slot. */
  readonly replaysNothing: boolean;
  /** The endpoint's words, empty where it says none. */
  readonly details: string;
}

/** Statuses of a wrong token, plan, address or request. */
const REFUSALS: ReadonlySet<number> = new Set([
  status.UNAUTHENTICATED,
  status.PERMISSION_DENIED,
  status.UNIMPLEMENTED,
  status.INVALID_ARGUMENT,
]);
const SIZE_WORDS = /message (?:length )?(?:is )?(?:too large|larger than)|message size|body with more than/i;
const REPLAYS_NOTHING = /from_slot`? (?:is not supported|available only for)/i;
/** An oldest slot, said so plainly that it counts under any status. */
const PLAIN_OLDEST = /(?:first|last|oldest|earliest)[^.;\d]*?(?:available|slot)[^.;\d]*(\d+)/i;
/** One that is said in other words. */
const ANY_OLDEST = /(?:first|oldest|earliest|lowest|minimum|at least|(?:starts?|begins?) (?:at|from|with))\D*(\d+)/i;

/** Reads what a stream threw; undefined where the server ended it without a fault. */
export function readEnding(error: unknown): StreamEnding {
  if (error === undefined) {
    return { code: status.OK, reason: 'the server ended it', kind: 'other', replaysNothing: false, details: '' };
  }
  const { code, details = '' } = error as Partial<ServiceError>;
  return {
    code,
    reason: String(error),
    kind: kindOf(code, details),
    replaysNothing: REPLAYS_NOTHING.test(details),
    details,
  };
}

function kindOf(code: number | undefined, details: string): StreamEnding['kind'] {
  if (code !== undefined && REFUSALS.has(code)) return 'refused';
  if (SIZE_WORDS.test(details)) return 'too-large';
  return code === status.UNAVAILABLE || code === status.RESOURCE_EXHAUSTED ? 'busy' : 'other';
}

/**
 * The oldest slot that an endpoint names where it does not replay `asked`, which is
 * behind it by all means. Undefined when it names none.
 */
export function namedOldestSlot({ kind, details }: StreamEnding, asked: number): number | undefined {
  const plain = slotIn(PLAIN_OLDEST, details, asked);
  // An endpoint that is away names ports and addresses, which are no slots.
  if (plain !== undefined || kind === 'busy') return plain;
  const newer = [...details.matchAll(/\d+/g)].map(([text]) => Number(text)).filter((slot) => isNewer(slot, asked));
  return slotIn(ANY_OLDEST, details, asked) ?? newer.sort((a, b) => a - b)[0];
}

function slotIn(pattern: RegExp, details: string, asked: number): number | undefined {
  const slot = Number(pattern.exec(details)?.[1]);
  return isNewer(slot, asked) ? slot : undefined;
}

function isNewer(slot: number, asked: number): boolean {
  return Number.isSafeInteger(slot) && slot > asked;
}
