import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Block } from '../chain/block.ts';
import { readGeyserUpdate } from '../chain/geyser-protobuf.ts';
import { type Journal, silentJournal } from '../kernel/journal.ts';
import type { Logger } from '../kernel/log.ts';
import { readBlockFile } from '../simulator/block-file.ts';
import { readCapture } from './capture.ts';
import { createPartialBlocks, type PartialBlocks } from './partial-blocks.ts';
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
 * Transactions without their block come first, each slot as a block that is
 * not whole; those whose block is among the files are left to it.
 */
export function createReplaySource({ path, log, journal }: ReplaySourceOptions): BlockSource {
  return {
    name: 'replay',
    async *blocks({ fromSlot = 0, signal }) {
      const found = await survey(path, log, journal, signal);
      log.info(
        {
          path,
          transactions: found.partial.size,
          blocks: found.wholeBlocks.length,
          block_files: found.blockFiles.length,
        },
        'replaying captured data',
      );
      const wholeSlots = new Set(found.wholeBlocks.map(({ slot }) => slot));
      for (const slot of found.partial.slots()) {
        if (signal.aborted) return;
        if (!wholeSlots.has(slot)) yield found.partial.get(slot);
      }
      // Whole blocks that the store has are not read again; partial input never closes a slot, so it always is.
      for (const { slot, file } of found.wholeBlocks) {
        if (signal.aborted) return;
        if (slot >= fromSlot) yield await readWholeBlock(file, journal);
      }
      for (const { file } of found.blockFiles) {
        for await (const block of readUpdates(file, journal)) {
          if (signal.aborted) return;
          if (block.slot >= fromSlot) yield block;
        }
      }
    },
  };
}

interface Survey {
  readonly partial: PartialBlocks;
  /** In slot order. Only their places are kept: blocks are large. */
  readonly wholeBlocks: readonly Place[];
  /** In order of their first slot. */
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
      const slot = await firstSlot(file);
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
  const bySlot = (a: Place, b: Place) => a.slot - b.slot;
  return { partial, wholeBlocks: [...wholeBlocks.values()].sort(bySlot), blockFiles: blockFiles.sort(bySlot) };
}

async function listFiles(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(path, entry.name));
  if (files.length > MAX_FILES)
    throw new RangeError(`${path} holds ${files.length} files; at most ${MAX_FILES} are replayed`);
  return files.sort();
}

async function readWholeBlock(file: string, journal: Journal): Promise<Block> {
  const capture = await readCapture(file, journal);
  if (capture.kind !== 'block') throw new Error(`${file} changed while it was replayed`);
  return capture.read();
}

async function firstSlot(file: string): Promise<number | undefined> {
  for await (const block of readUpdates(file, silentJournal)) return block.slot;
  return undefined;
}

/** The blocks among a file's Yellowstone updates. */
async function* readUpdates(file: string, journal: Journal): AsyncGenerator<Block> {
  for await (const bytes of readBlockFile(file)) {
    const update = readGeyserUpdate(bytes, journal);
    if (update.kind === 'block') yield update.block;
  }
}
