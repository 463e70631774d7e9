import type { Clock } from '../kernel/clock.ts';
import { type Descriptors, isOutOfDescriptors } from '../kernel/descriptors.ts';
import type { Logger } from '../kernel/log.ts';
import { publicText } from '../kernel/public-text.ts';
import { createBackoff } from '../kernel/retry.ts';
import { createCallGate, type Turn } from './call-gate.ts';
import { type CallOutcome, createCallLimit } from './call-limit.ts';
import { RPC_CODES, RpcAnswerTooLarge, RpcError, RpcHttpError, RpcThrottled } from './rpc-errors.ts';
import { createRpcTransport, type RpcTransport } from './rpc-transport.ts';

export interface RpcClientOptions {
  /** May hold a user and a password, which are sent as Basic authorization. */
  readonly url: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly random?: () => number;
  /** For one answer. */
  readonly timeoutMs?: number;
  /** HTTP when left out. */
  readonly transport?: RpcTransport;
  /** Told of calls that fail for want of a file descriptor. */
  readonly descriptors?: Pick<Descriptors, 'patiently'> | undefined;
}

/** Figures of the client about its node, for metrics. */
export interface RpcFigures {
  /** Calls that may be under way at once, as learned. */
  readonly limit: number;
  readonly inFlight: number;
  /** Callers that wait for room. */
  readonly waiting: number;
  /** Answers that said "too much", so far. */
  readonly throttled: number;
  /** Calls that timed out, broke or met a server's fault, so far. */
  readonly faltered: number;
}

/** Calls to one node. All callers of one client share what the node allows. */
export interface RpcClient {
  /**
   * The result of one call, u64-safe, asked again while the trouble may pass.
   * `weigh` is told how many bytes the answer had.
   * @throws {RpcError} what the node refuses for good.
   * @throws {RpcHttpError} a status that will not change.
   * @throws {RpcAnswerTooLarge} an answer beyond what the transport reads.
   * @throws {RpcLineFull} when too many calls wait for the node already.
   */
  call(
    method: string,
    params: readonly unknown[],
    signal: AbortSignal,
    weigh?: (bytes: number) => void,
  ): Promise<unknown>;
  /** Of the node's address: neither its path nor a login, where secrets are. */
  readonly host: string;
  /** The same client for work that has time: its calls go when no others wait. */
  patient(): RpcClient;
  figures(): RpcFigures;
}

const REQUEST_TIMEOUT_MS = 30_000;
/** Between two questions for what the node does not have yet. */
const NOT_YET_BASE_MS = 200;
const NOT_YET_MAX_MS = 10_000;
/** Kinds of failed tries, by what they promise of the next one. */
type Trouble = 'final' | 'vague' | 'not-yet' | 'away' | 'no-descriptor';
/** Tries that a call has of each kind of trouble, the others not counted. */
const MAX_TRIES: Readonly<Record<Trouble, number>> = {
  final: 1,
  // Errors that say nothing: they pass soon, or stand for a refusal.
  vague: 5,
  // About five minutes: a block that has not come by then will not come.
  'not-yet': 40,
  // Over an hour at the longest delay: a node may be away for an upgrade.
  away: 500,
  // Nothing was asked of the node at all.
  'no-descriptor': Number.POSITIVE_INFINITY,
};
/** Callers hold few calls each; so many are a fault of ours. */
const MAX_WAITING_CALLS = 4_096;
/** Between two warnings of a node that limits us: a public one does so all the time. */
const THROTTLED_EVERY_MS = 30_000;

/** Codes that come right when asked again. */
const TROUBLE_BY_CODE: ReadonlyMap<number, Trouble> = new Map([
  [RPC_CODES.nodeUnhealthy, 'away'],
  [RPC_CODES.minContextSlotNotReached, 'not-yet'],
  [RPC_CODES.blockNotAvailable, 'not-yet'],
  [RPC_CODES.blockStatusNotYetAvailable, 'not-yet'],
  [RPC_CODES.longTermStorageUnreachable, 'vague'],
  [RPC_CODES.serverError, 'vague'],
  [RPC_CODES.internalError, 'vague'],
]);
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529]);

export function createRpcClient(options: RpcClientOptions): RpcClient {
  const { url, clock, log, random, timeoutMs, transport, descriptors } = options;
  const send = transport ?? createRpcTransport(url);
  const chance = random === undefined ? {} : { random };
  const limit = createCallLimit(chance);
  const gate = createCallGate({ limit, clock, maxWaiting: MAX_WAITING_CALLS });
  let quietUntil = 0;

  function tell(method: string, error: unknown, { outcome }: Verdict, pauseMs: number): void {
    const fields = { method, ...figures(), pause_ms: Math.round(pauseMs), err: reasonOf(error) };
    // At the tip a node's "not yet" is its daily bread; no answer at all is not.
    if (outcome.kind === 'faltered') {
      log.warn(fields, 'the node did not answer; asking again');
    } else if (outcome.kind === 'throttled' && clock.elapsed() >= quietUntil) {
      quietUntil = clock.elapsed() + THROTTLED_EVERY_MS;
      log.warn(fields, 'the node wants fewer calls: all of them wait, and fewer go at once');
    } else {
      log.debug(fields, 'asking the node again');
    }
  }

  function figures(): RpcFigures {
    return {
      limit: limit.limit,
      inFlight: limit.inFlight,
      waiting: gate.waiting,
      throttled: limit.throttled,
      faltered: limit.faltered,
    };
  }

  async function call(turn: Pick<Turn, 'patient'>, ...[method, params, signal, weigh]: CallWords): Promise<unknown> {
    const notYet = createBackoff({ baseMs: NOT_YET_BASE_MS, maxMs: NOT_YET_MAX_MS, ...chance });
    // A limit that held us off for long says nothing of the answer that follows: each trouble has tries of its own.
    const triesOf = new Map<Trouble, number>();
    for (;;) {
      const ticket = await gate.enter(signal, { ...turn, again: triesOf.size > 0 });
      try {
        const request = { method, params, timeoutMs: timeoutMs ?? REQUEST_TIMEOUT_MS, now: clock.now(), signal };
        const { result, bytes } = await (descriptors?.patiently(() => send(request), signal) ?? send(request));
        gate.leave(ticket, ANSWERED);
        weigh?.(bytes);
        return result;
      } catch (error) {
        const verdict = judge(error);
        const pauseMs = gate.leave(ticket, signal.aborted ? ABANDONED : verdict.outcome);
        const tries = (triesOf.get(verdict.trouble) ?? 0) + 1;
        triesOf.set(verdict.trouble, tries);
        if (signal.aborted || tries >= MAX_TRIES[verdict.trouble]) throw error;
        tell(method, error, verdict, pauseMs);
        // A refused call waits at the gate like every other; a call for something that is not there yet waits alone.
        if (verdict.outcome.kind === 'answered') await clock.sleep(notYet.next(), signal);
      }
    }
  }

  const patientClient: RpcClient = {
    host: publicText(new URL(url).host),
    call: (...words) => call({ patient: true }, ...words),
    patient: () => patientClient,
    figures,
  };
  return { ...patientClient, call: (...words) => call({ patient: false }, ...words) };
}

type CallWords = Parameters<RpcClient['call']>;

/** Meaning of a failed try for the node's limit, and for the call. */
interface Verdict {
  readonly outcome: CallOutcome;
  readonly trouble: Trouble;
}

const ANSWERED: CallOutcome = { kind: 'answered' };
const ABANDONED: CallOutcome = { kind: 'abandoned' };

function judge(error: unknown): Verdict {
  if (error instanceof RpcThrottled) {
    return { outcome: { kind: 'throttled', afterMs: error.retryAfterMs }, trouble: 'away' };
  }
  if (error instanceof RpcError) return { outcome: ANSWERED, trouble: TROUBLE_BY_CODE.get(error.code) ?? 'final' };
  if (error instanceof RpcHttpError) {
    // A 200 that is no JSON-RPC answer is a proxy's page: it passes too.
    const passes = PASSING_STATUSES.has(error.status) || error.status === 200;
    if (!passes) return { outcome: ANSWERED, trouble: 'final' };
    return { outcome: { kind: 'faltered', afterMs: error.retryAfterMs }, trouble: 'away' };
  }
  if (error instanceof RpcAnswerTooLarge) return { outcome: ANSWERED, trouble: 'final' };
  if (isOutOfDescriptors(error)) return { outcome: { kind: 'faltered', afterMs: 0 }, trouble: 'no-descriptor' };
  // All other errors are the network's: refused, reset, timed out.
  return { outcome: { kind: 'faltered', afterMs: 0 }, trouble: 'away' };
}

/** `fetch` says no more than "fetch failed": what happened is its cause. */
function reasonOf(error: unknown): string {
  return String(error instanceof TypeError && error.cause !== undefined ? error.cause : error);
}
