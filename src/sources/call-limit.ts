/** The outcome of a call, as far as the node's patience goes. */
export type CallOutcome =
  /** The node answered, be it with an error of its own. */
  | { readonly kind: 'answered' }
  /** The node wants fewer calls; `afterMs` is its own wish, 0 when it names none. */
  | { readonly kind: 'throttled'; readonly afterMs: number }
  /** No answer, or a server's fault: too much for the node, or it is away. */
  | { readonly kind: 'faltered'; readonly afterMs: number }
  /** The caller lost interest: nothing is learned. */
  | { readonly kind: 'abandoned' };

/** The mark that a call under way keeps until its end. */
export interface CallTicket {
  readonly era: number;
}

/**
 * The number of calls that a node takes at once, learned from its answers: the limit grows by one a round while calls
 * fill it, is halved when the node refuses or falters, and then one call alone asks whether the node is ready again.
 *
 * Refusals of calls that began before the last cut tell nothing new, so a burst of them cuts once. There is no clock in
 * here: pauses are for the caller to wait out.
 */
export interface CallLimit {
  /** Calls that may be under way at once. */
  readonly limit: number;
  readonly inFlight: number;
  /** Refusals so far. */
  readonly throttled: number;
  /** Calls without a proper answer so far. */
  readonly faltered: number;
  /** True when another call may start, pauses apart. */
  readonly open: boolean;
  start(): CallTicket;
  /** Returns the milliseconds for which nobody may start a call; 0 when nothing changed. */
  end(ticket: CallTicket, outcome: CallOutcome): number;
}

export interface CallLimitOptions {
  /** Calls at once before anything is known. */
  readonly initial?: number;
  readonly max?: number;
  readonly random?: () => number;
}

const INITIAL_CALLS = 4;
const MAX_CALLS = 32;
const CUT = 0.5;
/** Pauses of a node that does not say how long. */
const PAUSE_BASE_MS = 500;
const PAUSE_MAX_MS = 30_000;

export function createCallLimit({
  initial = INITIAL_CALLS,
  max = MAX_CALLS,
  random = Math.random,
}: CallLimitOptions = {}): CallLimit {
  let pauseMs = PAUSE_BASE_MS;
  let allowed = initial;
  let era = 0;
  let inFlight = 0;
  let inFlightOfEra = 0;
  /** Until the first answer after a cut, one call asks for all. */
  let probing = false;
  /** Until the first cut the limit doubles a round. */
  let untried = true;
  let throttled = 0;
  let faltered = 0;

  function grow(wasFull: boolean): void {
    // Calls that do not fill the limit prove nothing about a larger one.
    if (wasFull) allowed = Math.min(max, allowed + (untried ? 1 : 1 / allowed));
  }

  function cut(afterMs: number): number {
    allowed = Math.max(1, allowed * CUT);
    era += 1;
    inFlightOfEra = 0;
    probing = true;
    untried = false;
    // Half of it is left to chance, so that clients of one node do not come back together.
    const ownMs = (pauseMs / 2) * (1 + random());
    pauseMs = Math.min(PAUSE_MAX_MS, pauseMs * 2);
    return Math.max(afterMs, ownMs);
  }

  return {
    get limit() {
      return Math.floor(allowed);
    },
    get inFlight() {
      return inFlight;
    },
    get throttled() {
      return throttled;
    },
    get faltered() {
      return faltered;
    },
    get open() {
      return probing ? inFlightOfEra === 0 : inFlight < Math.floor(allowed);
    },
    start() {
      inFlight += 1;
      inFlightOfEra += 1;
      return { era };
    },
    end(ticket, outcome) {
      const wasFull = inFlight >= Math.floor(allowed);
      const isCurrent = ticket.era === era;
      inFlight -= 1;
      if (isCurrent) inFlightOfEra -= 1;
      if (outcome.kind === 'abandoned') return 0;
      if (outcome.kind === 'answered') {
        if (!isCurrent) return 0;
        if (probing) probing = false;
        else grow(wasFull);
        // Not at once back to the start: a node that answers now and then is found by pauses that fit it.
        pauseMs = Math.max(PAUSE_BASE_MS, pauseMs / 2);
        return 0;
      }
      if (outcome.kind === 'throttled') throttled += 1;
      else faltered += 1;
      return isCurrent ? cut(outcome.afterMs) : outcome.afterMs;
    },
  };
}
