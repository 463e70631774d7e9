import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Block } from '../chain/block.ts';
import { readGeyserUpdate } from '../chain/geyser-protobuf.ts';
import { type Journal, silentJournal } from '../kernel/journal.ts';
import type { Logger } from '../kernel/log.ts';
import { readBlockFile } from '../simulator/block-file.ts';
import { readCapture } from './capture.ts';
import { createPartialBlocks, type PartialBlocks } from './partial-blocks.ts';
import { mergeRuns, type SlotRun } from './slot-runs.ts';
import type { BlockSource } from './source.ts';

export interface ReplaySourceOptions {
  /** A file, or a folder whose files (not its folders) are played. */
  readonly path: string;
  readonly log: Logger;
  readonly journal: Journal;
}

/** Captures of single transactions are held in memory: so many files of them at most. */
const MAX_FILES = 100_000;

/**
 * Captured data from disk, once, in slot order: `.json` and `.json.gz` with
 * `getTransaction` or `getBlock` answers, `.blocks` with Yellowstone updates.
 * Transactions without their block come as a block that is not whole; those
 * whose block is among the files are left to it.
 */
export function createReplaySource({ path, log, journal }: ReplaySourceOptions): BlockSource {
  return {
    name: 'replay',
    async *steps({ fromSlot = 0, signal }) {
      const { partial, wholeBlocks, blockFiles } = await survey(path, log, journal, signal);
      log.info(
        { path, transactions: partial.size, blocks: wholeBlocks.length, block_files: blockFiles.length },
        'replaying captured data',
      );
      // Whole blocks that the store has are not read again; partial input never closes a slot, so it always is.
      const isNew = ({ slot }: { readonly slot: number }) => slot >= fromSlot;
      const runs: SlotRun[] = [
        ...partial.slots().map((slot) => ({ firstSlot: slot, blocks: () => [partial.get(slot)] })),
        ...wholeBlocks
          .filter(isNew)
          .map(({ slot, file }) => ({ firstSlot: slot, blocks: () => readWhole(file, journal) })),
        ...blockFiles.map(({ slot, file }) => ({ firstSlot: slot, blocks: () => readUpdates(file, journal, log) })),
      ];
      let old = wholeBlocks.length - wholeBlocks.filter(isNew).length;
      for await (const block of mergeRuns(runs)) {
        if (signal.aborted) return;
        if (!block.whole || isNew(block)) yield { kind: 'block', block, confirmed: true };
        else old += 1;
      }
      if (old > 0) log.info({ blocks: old, from_slot: fromSlot }, 'left out: older than where the store ends');
    },
  };
}

interface Survey {
  readonly partial: PartialBlocks;
  /** Only their places are kept: blocks are large. */
  readonly wholeBlocks: readonly Place[];
  /** With their first slots. */
  readonly blockFiles: readonly Place[];
}

interface Place {
  readonly slot: number;
  readonly file: string;
}

/** Looks once into every file. What is no chain data is named in the log and skipped. */
async function survey(path: string, log: Logger, journal: Journal, signal: AbortSignal): Promise<Survey> {
  const partial = createPartialBlocks();
  const wholeBlocks = new Map<number, Place>();
  const blockFiles: Place[] = [];
  for (const file of await listFiles(path)) {
    if (signal.aborted) break;
    if (file.endsWith('.blocks')) {
      const slot = await firstSlot(file, log);
      if (slot === undefined) log.warn({ file }, 'skipped: no blocks in it');
      else blockFiles.push({ slot, file });
      continue;
    }
    if (!/\.json(\.gz)?$/.test(file)) {
      log.info({ file }, 'skipped: not a kind of file that can be replayed');
      continue;
    }
    const capture = await readCapture(file, journal);
    if (capture.kind === 'other') log.info({ file, reason: capture.reason }, 'skipped: no chain data');
    else if (capture.kind === 'transactions') for (const block of capture.blocks) partial.add(block);
    else wholeBlocks.set(capture.slot, { slot: capture.slot, file });
  }
  return { partial, wholeBlocks: [...wholeBlocks.values()], blockFiles };
}

async function listFiles(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(path, entry.name));
  if (files.length > MAX_FILES)
    throw new RangeError(`${path} holds ${files.length} files; at most ${MAX_FILES} are replayed`);
  return files.sort();
}

async function* readWhole(file: string, journal: Journal): AsyncGenerator<Block> {
  const capture = await readCapture(file, journal);
  if (capture.kind !== 'block') throw new Error(`${file} changed while it was replayed`);
  yield capture.read();
}

async function firstSlot(file: string, log: Logger): Promise<number | undefined> {
  for await (const block of readUpdates(file, silentJournal, log)) return block.slot;
  return undefined;
}

/** The blocks among a file's Yellowstone updates, as far as they can be read: a capture may have been cut off. */
async function* readUpdates(file: string, journal: Journal, log: Logger): AsyncGenerator<Block> {
  try {
    for await (const bytes of readBlockFile(file)) {
      const update = readGeyserUpdate(bytes, journal);
      if (update.kind === 'block') yield update.block;
    }
  } catch (error) {
    log.warn({ file, reason: String(error) }, 'the rest of the file cannot be read');
  }
}
