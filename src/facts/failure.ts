import type { Address } from '../chain/address.ts';
import type { LogLines, Transaction } from '../chain/block.ts';
import { errorName } from '../programs/error-names.ts';
import type { AttemptOutcome } from './fact.ts';
import { isHelper, isVenue } from './router.ts';

/** The reason why a transaction reverted. */
export interface Failure {
  readonly outcome: AttemptOutcome;
  /** Decoded reason; empty when unknown. */
  readonly why: string;
  readonly errorCode: number | undefined;
  /** The program that stopped it, when known. */
  readonly program: Address | undefined;
}

/** Two lines a level, a few levels, and room for what a node may add. */
const MAX_TAIL_LINES = 64;
/** Never what a program logs itself, which the runtime marks with a colon: `Program log: …`. */
const TAIL_LINE = /^Program ([1-9A-HJ-NP-Za-km-z]+) (failed:|consumed) /;

/**
 * A failure goes up from the program that stopped through all its callers. A
 * venue among them turned the attempt down; without one, a routing contract gave
 * up by itself; where the records end before either, the outcome is unknown.
 */
export function readFailure(transaction: Transaction): Failure {
  const chain = failedPrograms(transaction.logs);
  return chain.length > 0 ? fromChain(transaction, chain) : fromError(transaction);
}

/**
 * Programs of the closing run of `Program … failed` lines, innermost first;
 * empty when there are no logs or they were cut off.
 */
export function failedPrograms(logs: LogLines): Address[] {
  const innermostLast: Address[] = [];
  if (!logs.present) return innermostLast;
  const end = Math.max(0, logs.length - MAX_TAIL_LINES);
  for (let i = logs.length - 1; i >= end; i--) {
    const [, program, verb] = TAIL_LINE.exec(logs.at(i)) ?? [];
    if (program === undefined) break;
    if (verb === 'failed:') innermostLast.push(program as Address);
  }
  return innermostLast.reverse();
}

function fromChain(transaction: Transaction, chain: readonly Address[]): Failure {
  const errorCode = transaction.error?.customCode;
  const venue = chain.find(isVenue);
  if (venue !== undefined) {
    return { outcome: 'rejected', why: reason(transaction, chain[0]!), errorCode, program: venue };
  }
  const router = chain.find((program) => !isHelper(program));
  const outcome = router === undefined ? 'failed_unknown' : 'self_abort';
  return { outcome, why: reason(transaction, chain[0]!), errorCode, program: router ?? chain[0] };
}

/** Without a chain, the failed top-level instruction and its recorded calls are all there is. */
function fromError(transaction: Transaction): Failure {
  const { error, keys, instructions } = transaction;
  const failed = instructions.find(({ parent, outer }) => parent < 0 && outer === error?.instructionIndex);
  const errorCode = error?.customCode;
  if (failed === undefined) return { outcome: 'failed_unknown', why: error?.kind ?? '', errorCode, program: undefined };
  const program = keys.at(failed.programIndex);
  const why = reason(transaction, program);
  if (isVenue(program)) return { outcome: 'rejected', why, errorCode, program };
  // A venue that was called may have stopped it, or the router after it: the records do not tell.
  const reachedVenue = instructions.some(
    (call) => call.outer === failed.outer && call.parent >= 0 && isVenue(keys.at(call.programIndex)),
  );
  const aborted = transaction.hasInnerInstructions && !reachedVenue && !isHelper(program);
  return { outcome: aborted ? 'self_abort' : 'failed_unknown', why, errorCode, program };
}

/** Name of the error as the program that raised it calls it; the same code means other things elsewhere. */
function reason(transaction: Transaction, raisedBy: Address): string {
  const { error } = transaction;
  if (error === null) return '';
  if (error.customCode !== undefined) return errorName(raisedBy, error.customCode) ?? '';
  return error.instructionError ?? error.kind;
}
