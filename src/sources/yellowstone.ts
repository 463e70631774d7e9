import { readFile } from 'node:fs/promises';
import { status } from '@grpc/grpc-js';
import type { Clock } from '../kernel/clock.ts';
import type { Descriptors } from '../kernel/descriptors.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Logger } from '../kernel/log.ts';
import { createBackoff } from '../kernel/retry.ts';
import { firstWithoutBlock, initialSlots, nextSlot, type SlotEvent, slotFigures } from './slot-state.ts';
import { reduceSlots } from './slots.ts';
import type { BlockSource, BlockTap, ChainStep, Commitment, SourceRun } from './source.ts';
import { readEnding, type StreamEnding } from './yellowstone-ending.ts';
import { StreamStart } from './yellowstone-start.ts';
import { readUpdates, type UpdateOptions } from './yellowstone-updates.ts';

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
  /** Waits for a free descriptor when that file cannot be opened for want of one. */
  readonly descriptors?: Pick<Descriptors, 'patiently'> | undefined;
  readonly tap?: BlockTap;
  readonly random?: () => number;
  /** Milliseconds without a message after which a stream counts as dead; 45 s when left out. */
  readonly silenceMs?: number;
  /** Milliseconds without a block, while slots move, after which a stream counts as broken; 15 s when left out. */
  readonly blocklessMs?: number;
}

const RECONNECT_BASE_MS = 250;
const RECONNECT_MAX_MS = 15_000;
/** Streams that end at one and the same slot for want of resources before it counts as too large. */
const MAX_EXHAUSTED = 3;

/**
 * The chain as a Yellowstone gRPC stream tells it, across reconnects: each
 * stream starts behind the last confirmed block that was given.
 */
export function createYellowstoneSource(options: YellowstoneSourceOptions): BlockSource {
  const { clock, log, commitment = 'confirmed' } = options;
  let state = initialSlots(commitment, undefined);
  let refusal: string | undefined;

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

  /** A slot that no stream gives for its size is passed over: it is a hole, and other blocks go on. */
  function* passOver(starts: StreamStart): Generator<ChainStep> {
    const wanted = nextSlot(state);
    if (wanted === undefined) return;
    const slot = firstWithoutBlock(state, starts.planned(wanted));
    log.warn({ slot }, 'the endpoint does not give this slot for its size: it is passed over');
    starts.passOver(slot + 1);
    // Above blocks that are not confirmed yet it is missed when they are.
    if (slot === wanted) yield* take({ kind: 'unavailable', before: slot + 1 });
  }

  /** The steps of one stream, and how it ended; undefined when we were aborted. */
  async function* follow(
    { endpoint, signal, starts }: Following,
    start: number | undefined,
  ): AsyncGenerator<ChainStep, EndedStream | undefined> {
    const wanted = nextSlot(state);
    const isJump = wanted !== undefined && start !== starts.planned(wanted);
    let heard = false;
    let gaveBlock = false;
    try {
      for await (const event of readUpdates(endpoint, { commitment, fromSlot: start }, signal)) {
        heard = true;
        refusal = undefined;
        if (event.kind === 'block') {
          // The server begins later than was wanted, and never sends what lies between.
          if (isJump && !gaveBlock) yield* take({ kind: 'unavailable', before: event.block.parentSlot + 1 });
          gaveBlock = true;
          starts.gaveBlock();
        }
        yield* take(event);
      }
      return signal.aborted ? undefined : { ending: readEnding(undefined), error: undefined, heard, gaveBlock };
    } catch (error) {
      return { ending: readEnding(error), error, heard, gaveBlock };
    }
  }

  async function* followAll({ fromSlot, signal }: SourceRun): AsyncGenerator<ChainStep> {
    const following = { endpoint: await endpointOf(options, signal), signal, starts: new StreamStart() };
    const { starts } = following;
    const backoff = createBackoff({ baseMs: RECONNECT_BASE_MS, maxMs: RECONNECT_MAX_MS, ...pick(options) });
    let everHeard = false;
    let exhausted = { slot: -1, times: 0 };
    state = initialSlots(commitment, fromSlot);
    while (!signal.aborted) {
      const start = starts.next(nextSlot(state));
      const ended = yield* follow(following, start);
      if (ended === undefined) return;
      const { ending, error, heard, gaveBlock } = ended;
      everHeard ||= heard;
      if (gaveBlock) backoff.reset();
      // A client that was never served is set up wrongly; one that was may be served again.
      if (ending.kind === 'refused' && start === undefined && !everHeard) throw error;
      log.warn({ status: ending.code, error: ending.reason }, 'the Yellowstone stream broke; connecting again');
      if (ending.kind === 'refused' && start === undefined) refusal = refusalOf(ending);
      exhausted = heard && ending.code === status.RESOURCE_EXHAUSTED ? again(exhausted, nextSlot(state)) : NEVER;
      if (ending.kind === 'too-large' || exhausted.times >= MAX_EXHAUSTED) yield* passOver(starts);
      else if (!gaveBlock && starts.gaveNothing(start, ending)) continue;
      await clock.sleep(backoff.next(), signal);
    }
  }

  return {
    name: 'yellowstone',
    slots: () => slotFigures(state),
    refusal: () => refusal,
    steps: followAll,
  };
}

interface Following {
  readonly endpoint: UpdateOptions;
  readonly signal: AbortSignal;
  readonly starts: StreamStart;
}

interface EndedStream {
  readonly ending: StreamEnding;
  readonly error: unknown;
  /** It told of slots. */
  readonly heard: boolean;
  readonly gaveBlock: boolean;
}

const NEVER = { slot: -1, times: 0 } as const;

function again({ slot, times }: { readonly slot: number; readonly times: number }, at = -1) {
  return { slot: at, times: at === slot ? times + 1 : 1 };
}

function refusalOf({ code }: StreamEnding): string {
  const name = code === undefined ? 'no status' : status[code];
  return `the Yellowstone endpoint served us and refuses us now (${name}): look at its token, its plan and what stands before it`;
}

/** Throws when the file with the authority cannot be read. */
async function endpointOf({ caFile, descriptors, ...options }: YellowstoneSourceOptions, signal: AbortSignal) {
  if (caFile === undefined) return options;
  const read = () => readFile(caFile);
  return { ...options, certificateAuthority: await (descriptors?.patiently(read, signal) ?? read()) };
}

function pick({ random }: YellowstoneSourceOptions): { random?: () => number } {
  return random === undefined ? {} : { random };
}
