import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Block } from '../chain/block.ts';
import { readGeyserUpdate } from '../chain/geyser/geyser-protobuf.ts';
import type { Descriptors } from '../kernel/descriptors.ts';
import { type Journal, silentJournal } from '../kernel/journal.ts';
import type { Logger } from '../kernel/log.ts';
import { type OpenFile, readBlockFile } from './block-file.ts';
import { readCapture } from './capture.ts';
import { createPartialBlocks, type PartialBlocks } from './partial-blocks.ts';
import { mergeRuns, type SlotRun } from './slot-runs.ts';
import type { BlockSource } from './source.ts';

export interface ReplaySourceOptions {
  /** A file, or a folder whose files (not its folders) are played. */
  readonly path: string;
  readonly log: Logger;
  readonly journal: Journal;
  /** Waits for a free descriptor when a file cannot be opened for want of one; without it that is an error. */
  readonly descriptors?: Pick<Descriptors, 'patiently'> | undefined;
  /** Opens files; for tests. */
  readonly openFile?: OpenFile;
}

/** Captures of single transactions are held in memory: so many files of them at most. */
const MAX_FILES = 100_000;

/**
 * Captured data from disk, once, in slot order: `.json` and `.json.gz` with
 * `getTransaction` or `getBlock` answers, `.blocks` with Yellowstone updates.
 * Transactions without their block come as a block that is not whole; those
 * whose block is among the files are left to it.
 */
export function createReplaySource(options: ReplaySourceOptions): BlockSource {
  const { path, log } = options;
  return {
    name: 'replay',
    async *steps({ fromSlot = 0, signal }) {
      const reading = readingOf(options, signal);
      const { partial, wholeBlocks, blockFiles } = await survey(path, reading);
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
          .map(({ slot, file }) => ({ firstSlot: slot, blocks: () => readWhole(file, reading) })),
        ...blockFiles.map(({ slot, file }) => ({ firstSlot: slot, blocks: () => readUpdates(file, reading) })),
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

/** Tools with which one run reads its files. */
interface Reading {
  readonly log: Logger;
  readonly journal: Journal;
  readonly signal: AbortSignal;
  readonly patiently: <T>(attempt: () => Promise<T>) => Promise<T>;
  readonly openFile: OpenFile;
}

/** Files are opened patiently, each by itself: a file that seemed to end for want of a descriptor would be left out. */
function readingOf({ log, journal, descriptors, openFile = open }: ReplaySourceOptions, signal: AbortSignal): Reading {
  const patiently: Reading['patiently'] = (attempt) => descriptors?.patiently(attempt, signal) ?? attempt();
  return { log, journal, signal, patiently, openFile: (path) => patiently(() => openFile(path)) };
}

interface Survey {
  readonly partial: PartialBlocks;
  /** Only their places are kept: blocks are large. */
  readonly wholeBlocks: readonly FilePlace[];
  /** With their first slots. */
  readonly blockFiles: readonly FilePlace[];
}

interface FilePlace {
  readonly slot: number;
  readonly file: string;
}

/** Looks once into every file. What is no chain data is named in the log and skipped. */
async function survey(path: string, reading: Reading): Promise<Survey> {
  const { log, journal, signal, openFile } = reading;
  const partial = createPartialBlocks();
  const wholeBlocks = new Map<number, FilePlace>();
  const blockFiles: FilePlace[] = [];
  for (const file of await listFiles(path, reading)) {
    if (signal.aborted) break;
    if (file.endsWith('.blocks')) {
      const slot = await firstSlot(file, reading);
      if (slot === undefined) log.warn({ file }, 'skipped: no blocks in it');
      else blockFiles.push({ slot, file });
      continue;
    }
    if (!/\.json(\.gz)?$/.test(file)) {
      log.info({ file }, 'skipped: not a kind of file that can be replayed');
      continue;
    }
    const capture = await readCapture(file, journal, openFile);
    if (capture.kind === 'other') log.info({ file, reason: capture.reason }, 'skipped: no chain data');
    else if (capture.kind === 'transactions') for (const block of capture.blocks) partial.add(block);
    else wholeBlocks.set(capture.slot, { slot: capture.slot, file });
  }
  return { partial, wholeBlocks: [...wholeBlocks.values()], blockFiles };
}

async function listFiles(path: string, { patiently }: Reading): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await patiently(() => readdir(path, { withFileTypes: true }));
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(path, entry.name));
  if (files.length > MAX_FILES)
    throw new RangeError(`${path} holds ${files.length} files; at most ${MAX_FILES} are replayed`);
  return files.sort();
}

async function* readWhole(file: string, { journal, openFile }: Reading): AsyncGenerator<Block> {
  const capture = await readCapture(file, journal, openFile);
  if (capture.kind !== 'block') throw new Error(`${file} changed while it was replayed`);
  yield capture.read();
}

async function firstSlot(file: string, reading: Reading): Promise<number | undefined> {
  for await (const block of readUpdates(file, { ...reading, journal: silentJournal })) return block.slot;
  return undefined;
}

/** The blocks among a file's Yellowstone updates, as far as they can be read: a capture may have been cut off. */
async function* readUpdates(file: string, { journal, log, openFile }: Reading): AsyncGenerator<Block> {
  try {
    for await (const bytes of readBlockFile(file, openFile)) {
      const update = readGeyserUpdate(bytes, journal);
      if (update.kind === 'block') yield update.block;
    }
  } catch (error) {
    log.warn({ file, reason: String(error) }, 'the rest of the file cannot be read');
  }
}
