import { type ServiceError, status } from '@grpc/grpc-js';
import type { Block } from '../chain/block.ts';
import { readGeyserUpdate } from '../chain/geyser-protobuf.ts';
import { createBoundedQueue } from '../kernel/bounded-queue.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Logger } from '../kernel/log.ts';
import { createBackoff } from '../kernel/retry.ts';
import { createSlotOrder, type SlotOrder } from './slots.ts';
import type { BlockSource, BlockTap } from './source.ts';
import { encodePing, encodeSubscribeRequest } from './yellowstone-request.ts';
import { openSubscribeStream, type YellowstoneEndpoint } from './yellowstone-stream.ts';

export interface YellowstoneSourceOptions extends YellowstoneEndpoint {
  readonly clock: Clock;
  readonly log: Logger;
  readonly journal: Journal;
  readonly tap?: BlockTap;
  readonly random?: () => number;
}

/** Blocks of some 5 MB: what may wait here while the house is busy. The stream is paused beyond it. */
const MAX_BUFFERED_BLOCKS = 16;
/** Blocks come several times a second and pings every 15 s: a stream this silent is dead. */
const SILENCE_MS = 45_000;
const RECONNECT_BASE_MS = 250;
const RECONNECT_MAX_MS = 15_000;
/** Refusals that asking again will not change. */
const FATAL_STATUSES: ReadonlySet<number> = new Set([
  status.UNAUTHENTICATED,
  status.PERMISSION_DENIED,
  status.UNIMPLEMENTED,
]);

/** Confirmed blocks of a Yellowstone gRPC stream, in slot order, across reconnects. */
export function createYellowstoneSource(options: YellowstoneSourceOptions): BlockSource {
  const { clock, log } = options;
  return {
    name: 'yellowstone',
    async *steps({ fromSlot, signal }) {
      const order = createSlotOrder(fromSlot);
      let replays = true;
      const backoff = createBackoff({ baseMs: RECONNECT_BASE_MS, maxMs: RECONNECT_MAX_MS, ...pick(options) });
      while (!signal.aborted) {
        try {
          for await (const block of subscribe(options, replays ? order.nextSlot : undefined, signal)) {
            backoff.reset();
            const { blocks, gap } = order.push(block);
            if (gap !== undefined) log.warn({ from_slot: gap.fromSlot, to_slot: gap.toSlot }, 'slots never came');
            for (const each of blocks) yield { kind: 'block', block: each, confirmed: true };
          }
          if (!signal.aborted) log.warn({}, 'the Yellowstone stream ended; connecting again');
        } catch (error) {
          replays &&= !isReplayUnsupported(error);
          recover(error, order, log);
        }
        await clock.sleep(backoff.next(), signal);
      }
    },
  };
}

/** Throws what cannot be recovered from; otherwise leaves the order ready for the next stream. */
function recover(error: unknown, order: SlotOrder, log: Logger): void {
  const { code, details } = error as Partial<ServiceError>;
  if (code !== undefined && FATAL_STATUSES.has(code)) throw error;
  const firstSlot = firstReplayableSlot(details ?? '');
  const wanted = order.nextSlot;
  if (firstSlot !== undefined && wanted !== undefined && firstSlot > wanted) {
    log.warn({ from_slot: wanted, to_slot: firstSlot - 1 }, 'the endpoint no longer replays these slots');
    order.skipTo(firstSlot);
    return;
  }
  log.warn({ status: code, error: String(error) }, 'the Yellowstone stream broke; connecting again');
}

/** Such a server starts at its newest block: what lies between shows as a gap. */
function isReplayUnsupported(error: unknown): boolean {
  return (error as Partial<ServiceError>).details === 'from_slot is not supported';
}

/** Servers name the oldest slot they can replay in the text of their refusal. */
function firstReplayableSlot(details: string): number | undefined {
  const match = /(?:last available|first available slot):\s*(\d+)/.exec(details);
  return match === null ? undefined : Number(match[1]);
}

/** One stream's blocks as they come. Ends when the server ends it or the signal aborts; throws its error. */
async function* subscribe(
  { url, token, journal, tap }: YellowstoneSourceOptions,
  fromSlot: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<Block> {
  const { stream, close } = openSubscribeStream({ url, token });
  const queue = createBoundedQueue<Block>(MAX_BUFFERED_BLOCKS);
  let failure: unknown;
  const fail = (error: unknown) => {
    failure ??= error;
    queue.close();
  };
  const silence = setTimeout(() => {
    if (stream.isPaused()) silence.refresh();
    else fail(new Error(`no message for ${SILENCE_MS} ms`));
  }, SILENCE_MS);
  const end = () => queue.close();

  stream.on('data', (bytes: Buffer) => {
    silence.refresh();
    try {
      const update = readGeyserUpdate(bytes, journal);
      if (update.kind === 'ping') stream.write(encodePing(1));
      if (update.kind !== 'block') return;
      tap?.(update.block.slot, bytes);
      stream.pause();
      queue.push(update.block).then(() => {
        silence.refresh();
        stream.resume();
      }, fail);
    } catch (error) {
      fail(error);
    }
  });
  stream.on('error', fail);
  stream.on('end', end);
  signal.addEventListener('abort', end, { once: true });
  stream.write(encodeSubscribeRequest(fromSlot));
  try {
    while (await queue.ready()) {
      for (const block of queue.drain(1)) yield block;
      if (signal.aborted) return;
    }
    if (failure !== undefined && !signal.aborted) throw failure;
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', end);
    close();
  }
}

function pick({ random }: YellowstoneSourceOptions): { random?: () => number } {
  return random === undefined ? {} : { random };
}
