import { type GeyserUpdate, readGeyserUpdate } from '../chain/geyser/geyser-protobuf.ts';
import { MalformedWire } from '../chain/malformed-wire.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Logger } from '../kernel/log.ts';
import { BlockWatch } from './block-watch.ts';
import { watchSilence } from './silence-watch.ts';
import type { SlotEvent } from './slot-state.ts';
import type { BlockTap } from './source.ts';
import { UpdateQueue } from './update-queue.ts';
import { encodePing, encodeSubscribeRequest, type Subscription } from './yellowstone-request.ts';
import { openSubscribeStream, type SubscribeStream, type YellowstoneEndpoint } from './yellowstone-stream.ts';

export interface UpdateOptions extends YellowstoneEndpoint {
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly log: Logger;
  readonly journal: Journal;
  readonly tap?: BlockTap;
  /** A stream that is silent for so long, milliseconds, is dead: {@link SILENCE_MS} when left out. */
  readonly silenceMs?: number;
  /** A stream that gives no block for so long while slots move, milliseconds, is broken: {@link BLOCKLESS_MS} when left out. */
  readonly blocklessMs?: number;
}

/** Updates that may wait here while the house is busy. With the stream's window that is all there is. */
export const MAX_BUFFERED_UPDATES = 256;
export const MAX_BUFFERED_BYTES = 32 * 1024 * 1024;
/** Blocks come several times a second and the server's pings every 15 s: a stream this silent is dead. */
const SILENCE_MS = 45_000;
/** Some 37 slots: leaders skip a few in a row, not so many. */
const BLOCKLESS_MS = 15_000;
const PING_MS = 10_000;
/** Ids of pings are for those who match answers to them; we only want some to come. */
const PING_ID = 1;

/** Events about slots from one stream. Ends when the server ends it or the signal aborts; throws its error. */
export async function* readUpdates(
  options: UpdateOptions,
  subscription: Subscription,
  signal: AbortSignal,
): AsyncGenerator<SlotEvent> {
  const subscribed = openSubscribeStream(options);
  const { stream } = subscribed;
  const { clock, silenceMs = SILENCE_MS, blocklessMs = BLOCKLESS_MS } = options;
  const blocks = new BlockWatch(blocklessMs);
  const queue = new UpdateQueue({
    maxUpdates: MAX_BUFFERED_UPDATES,
    maxBytes: MAX_BUFFERED_BYTES,
    onFull: () => subscribed.pause(),
    onRoom: () => subscribed.resume(),
  });
  const onSilence = () => queue.close(new Error(`no message for ${silenceMs} ms`));
  const watch = watchSilence({ silenceMs, bytesRead: subscribed.bytesRead, onSilence });
  const take = async () => {
    const askedAt = clock.elapsed();
    const bytes = await queue.take();
    blocks.waited(clock.elapsed() - askedAt);
    return bytes;
  };
  const pings = setInterval(() => ping(subscribed), PING_MS);
  const end = () => queue.close();
  stream.on('data', (bytes: Buffer) => {
    watch.heard();
    queue.push(bytes);
  });
  stream.on('error', (error) => queue.close(error));
  stream.on('end', end);
  signal.addEventListener('abort', end, { once: true });
  stream.write(encodeSubscribeRequest(subscription));
  try {
    // Read when it is their turn, not when they come: what is read of a block is many times as many objects.
    for (let bytes = await take(); bytes !== undefined && !signal.aborted; bytes = await take()) {
      // Whoever reads so slowly that nothing is asked for hears nothing.
      watch.heard();
      const update = readUpdate(bytes, options);
      if (update?.kind === 'ping') ping(subscribed);
      else if (update?.kind === 'slot') {
        blocks.sawSlot(update.slot);
        yield { ...update, kind: 'status' };
      } else if (update?.kind === 'block') {
        blocks.sawBlock();
        options.tap?.(update.block.slot, bytes);
        yield { kind: 'block', block: update.block, bytes: bytes.length };
      }
      const trouble = blocks.trouble();
      if (trouble !== undefined) throw new Error(trouble);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    watch.stop();
    clearInterval(pings);
    signal.removeEventListener('abort', end);
    subscribed.close();
  }
}

/** An update that cannot be read would come again from a new stream: it is left out, and parent links show the hole. */
function readUpdate(bytes: Buffer, { journal, log }: UpdateOptions): GeyserUpdate | undefined {
  try {
    return readGeyserUpdate(bytes, journal);
  } catch (error) {
    if (!(error instanceof MalformedWire)) throw error;
    log.error({ bytes: bytes.length, error: error.message }, 'an update of the Yellowstone stream is malformed');
    return undefined;
  }
}

/** Left out while the server takes nothing: pings must not pile up. */
function ping({ stream }: SubscribeStream): void {
  if (!stream.writableNeedDrain) stream.write(encodePing(PING_ID));
}
