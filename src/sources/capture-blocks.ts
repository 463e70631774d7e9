import { createBoundedMap } from '../kernel/bounded-map.ts';
import type { Clock } from '../kernel/clock.ts';
import { silentJournal } from '../kernel/journal.ts';
import type { Logger } from '../kernel/log.ts';
import { writeBlockFile } from './block-file.ts';
import { createSource, type SourceOptions } from './create-source.ts';
import { confirmedBlocks } from './source.ts';

export interface CaptureBlocksOptions {
  readonly options: SourceOptions;
  readonly count: number;
  readonly path: string;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Blocks that have come but not yet in their turn; a stream is never further ahead of its order. */
const MAX_AHEAD = 256;

/** Writes the next blocks of a source to a file, in slot order, byte for byte. Gives how many there were. */
export async function captureBlocks({
  options,
  count,
  path,
  signal,
  clock,
  log,
}: CaptureBlocksOptions): Promise<number> {
  const waiting = createBoundedMap<number, Uint8Array>(MAX_AHEAD);
  const source = createSource(options, {
    clock,
    log,
    journal: silentJournal,
    tap: (slot, bytes) => void waiting.set(slot, bytes),
  });
  let written = 0;
  async function* bytesInOrder(): AsyncGenerator<Uint8Array> {
    for await (const { slot } of confirmedBlocks(source, { fromSlot: undefined, signal })) {
      const bytes = waiting.get(slot);
      waiting.delete(slot);
      if (bytes === undefined) throw new RangeError(`the bytes of slot ${slot} were dropped before their turn`);
      yield bytes;
      written += 1;
      if (written === count) return;
    }
  }
  await writeBlockFile(path, bytesInOrder());
  return written;
}
