import { readFile } from 'node:fs/promises';
import { type ServiceError, status } from '@grpc/grpc-js';
import type { Clock } from '../kernel/clock.ts';
import type { Descriptors } from '../kernel/descriptors.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Logger } from '../kernel/log.ts';
import { createBackoff } from '../kernel/retry.ts';
import { initialSlots, nextSlot, type SlotEvent, slotFigures } from './slot-state.ts';
import { reduceSlots } from './slots.ts';
import type { BlockSource, BlockTap, ChainStep, Commitment } from './source.ts';
import { readUpdates } from './yellowstone-updates.ts';

export interface YellowstoneSourceOptions {
  /** `http://host:port` in the clear, `https://host[:port]` with TLS. */
  readonly url: string;
  /** Sent as `x-token`. */
  readonly token: string | undefined;
  /** Of the first block given: `confirmed` when left out. */
  readonly commitment?: Commitment;
  /** PEM file of the authority behind the server's certificate; public ones when left out. */
  readonly caFile?: string | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  readonly journal: Journal;
  /** What is waited for when that file cannot be opened for want of one. */
  readonly descriptors?: Pick<Descriptors, 'patiently'> | undefined;
  readonly tap?: BlockTap;
  readonly random?: () => number;
  /** Milliseconds without a message after which a stream counts as dead; 45 s when left out. */
  readonly silenceMs?: number;
}

const RECONNECT_BASE_MS = 250;
const RECONNECT_MAX_MS = 15_000;
/**
 * Starts in a row that a server refuses as too old before its newest block will
 * do: who asks for the oldest it has, and is late each time, would ask for ever.
 */
const MAX_LATE_STARTS = 2;
/** Refusals that asking again will not change. */
const FATAL_STATUSES: ReadonlySet<number> = new Set([
  status.UNAUTHENTICATED,
  status.PERMISSION_DENIED,
  status.UNIMPLEMENTED,
  status.INVALID_ARGUMENT,
]);

/**
 * The chain as a Yellowstone gRPC stream tells it, across reconnects: each
 * stream starts behind the last confirmed block that was given.
 */
export function createYellowstoneSource(options: YellowstoneSourceOptions): BlockSource {
  const { clock, log, commitment = 'confirmed' } = options;
  let state = initialSlots(commitment, undefined);

  function* take(event: SlotEvent): Generator<ChainStep> {
    const { state: next, effects } = reduceSlots(state, event);
    state = next;
    for (const { fromSlot, toSlot } of effects.gaps) {
      log.warn({ from_slot: fromSlot, to_slot: toSlot }, 'slots never came');
    }
    for (const slot of effects.misfits) {
      log.error({ slot }, 'a block was confirmed that the chain does not stand on: its slot is stored wrong');
    }
    yield* effects.steps;
  }

  return {
    name: 'yellowstone',
    slots: () => slotFigures(state),
    async *steps({ fromSlot, signal }) {
      const endpoint = await endpointOf(options, signal);
      state = initialSlots(commitment, fromSlot);
      let replays = true;
      let lateStarts = 0;
      const backoff = createBackoff({ baseMs: RECONNECT_BASE_MS, maxMs: RECONNECT_MAX_MS, ...pick(options) });
      while (!signal.aborted) {
        try {
          const start = replays && lateStarts < MAX_LATE_STARTS ? nextSlot(state) : undefined;
          const subscription = { commitment, fromSlot: start };
          let isFirst = true;
          for await (const event of readUpdates(endpoint, subscription, signal)) {
            if (event.kind === 'block') {
              backoff.reset();
              lateStarts = 0;
              // The server starts at its newest block then, and never sends what lies between.
              if (isFirst && start === undefined && nextSlot(state) !== undefined)
                yield* take({ kind: 'unavailable', before: event.block.slot });
              isFirst = false;
            }
            yield* take(event);
          }
          if (!signal.aborted) log.warn({}, 'the Yellowstone stream ended; connecting again');
        } catch (error) {
          const refusal = readRefusal(error);
          if (refusal.isFatal) throw error;
          replays &&= !refusal.isReplayUnsupported;
          log.warn({ status: refusal.code, error: String(error) }, 'the Yellowstone stream broke; connecting again');
          if (refusal.firstSlot !== undefined) {
            yield* take({ kind: 'unavailable', before: refusal.firstSlot });
            lateStarts += 1;
            // At once: the server's oldest slot moves on while we wait.
            if (lateStarts <= MAX_LATE_STARTS) continue;
          }
        }
        await clock.sleep(backoff.next(), signal);
      }
    },
  };
}

/** Throws when the file with the authority cannot be read. */
async function endpointOf({ caFile, descriptors, ...options }: YellowstoneSourceOptions, signal: AbortSignal) {
  if (caFile === undefined) return options;
  const read = () => readFile(caFile);
  return { ...options, certificateAuthority: await (descriptors?.patiently(read, signal) ?? read()) };
}

interface Refusal {
  readonly code: number | undefined;
  readonly isFatal: boolean;
  readonly isReplayUnsupported: boolean;
  /** The oldest slot that the server can replay, where what we asked for is older. */
  readonly firstSlot: number | undefined;
}

/** Servers tell what is wrong with `from_slot` in the text of their refusal, under whatever status. */
function readRefusal(error: unknown): Refusal {
  const { code, details = '' } = error as Partial<ServiceError>;
  const isReplayUnsupported = details === 'from_slot is not supported';
  const match = /(?:last available|first available slot):\s*(\d+)/.exec(details);
  const firstSlot = match === null ? undefined : Number(match[1]);
  const isAboutStart = isReplayUnsupported || firstSlot !== undefined;
  return {
    code,
    isFatal: code !== undefined && FATAL_STATUSES.has(code) && !isAboutStart,
    isReplayUnsupported,
    firstSlot,
  };
}

function pick({ random }: YellowstoneSourceOptions): { random?: () => number } {
  return random === undefined ? {} : { random };
}
