import { randomBytes } from 'node:crypto';
import { type FileHandle, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Descriptors } from '../../../kernel/descriptors.ts';
import { makePrivateFolder } from '../../../kernel/private-files.ts';
import { StoreError } from '../store-error.ts';
import { createDamagedFlushes, type DamagedFlushes } from './damaged-flushes.ts';
import { decodeFlush, encodeFlush, type Flush, FlushDamage, type FlushHead } from './flush-file.ts';

export type { Flush, FlushTable } from './flush-file.ts';

/** A flush that is on disk. */
export interface OutboxEntry {
  readonly path: string;
  readonly bytes: number;
}

/** A file of the outbox that was not what had been written, and has been set aside. Its slots are a hole. */
export interface DamagedFlush {
  /** Path of the file now. */
  readonly path: string;
  /** Of the flush; undefined when neither the header nor the file's name tells. */
  readonly id: string | undefined;
  /** Slots that it was to close, and slots that it had parts of; undefined when the header is damaged. */
  readonly slots: Omit<FlushHead, 'id'> | undefined;
  /** For people. */
  readonly reason: string;
}

/**
 * Flushes on their way to a store, a file each, oldest first by name. A flush
 * is in the outbox from before its first insert until after its last one.
 */
export interface Outbox {
  /**
   * Resolves when the flush survives a crash of this process and of the machine.
   * Waits while there is no file descriptor; the signal ends that.
   */
  write(flush: Flush, signal?: AbortSignal): Promise<OutboxEntry>;
  /** The flush that was written; one that is damaged is set aside first. */
  read(entry: OutboxEntry, signal?: AbortSignal): Promise<Flush | DamagedFlush>;
  remove(entry: OutboxEntry): Promise<void>;
  /** Flushes that an earlier process left behind, oldest first. */
  readonly leftovers: readonly OutboxEntry[];
  /** Of this folder alone, for ever: by it a store knows which writers were of one host. */
  provideName(): Promise<string>;
  /** Counts the damaged files that lie aside, of earlier runs too. */
  countDamaged(): Promise<number>;
}

export function isDamaged(read: Flush | DamagedFlush): read is DamagedFlush {
  return 'reason' in read;
}

const SUFFIX = '.flush';
const UNFINISHED = '.tmp';
const SEQUENCE_DIGITS = 12;
const ID_BYTES = 12;
const NAME_FILE = 'name';
const OUTBOX_NAME = /^[0-9a-f]{24}$/;
/** The id is in the file's name as well: the file can lose it. Files of earlier versions have a number alone. */
const FILE_NAME = /^\d+-(.+)\.flush$/;
/** Codes of errors from reading a file that the disk cannot give any more, or that is no file. */
const UNREADABLE: ReadonlySet<string> = new Set(['EIO', 'EISDIR', 'EUCLEAN', 'ERR_FS_FILE_TOO_LARGE']);

export function newFlushId(): string {
  return randomBytes(ID_BYTES).toString('hex');
}

/** Those of a folder's files that are flushes, oldest first. */
export function flushFiles(names: readonly string[]): readonly string[] {
  return names.filter((name) => name.endsWith(SUFFIX)).sort();
}

export interface OutboxOptions {
  /** Waited for when there is none left; without it a file that cannot be opened for want of one is an error. */
  readonly descriptors?: Pick<Descriptors, 'patiently'>;
  /** Opens files; for tests. */
  readonly openFile?: typeof open;
}

export async function openOutbox(dir: string, options: OutboxOptions = {}): Promise<Outbox> {
  const files = createPatientFiles(options);
  await makePrivateFolder(dir);
  const names = await readdir(dir);
  // Never renamed, hence never inserted: whoever wrote it was not told that it is safe.
  await Promise.all(names.filter((name) => name.endsWith(UNFINISHED)).map((name) => rm(join(dir, name))));
  const flushes = flushFiles(names);
  const leftovers = await Promise.all(flushes.map((name) => describeFile(join(dir, name))));
  const damaged = createDamagedFlushes(dir);
  let sequence = Number.parseInt(flushes.at(-1) ?? '0', 10);

  return {
    leftovers,
    provideName: () => provideName(files, dir),
    async write(flush, signal) {
      sequence += 1;
      const path = join(dir, `${String(sequence).padStart(SEQUENCE_DIGITS, '0')}-${flush.id}${SUFFIX}`);
      const parts = encodeFlush(flush);
      await writeDurably(files, path, parts, signal);
      await syncFolder(files, dir, signal);
      return { path, bytes: parts.reduce((sum, part) => sum + part.length, 0) };
    },
    async read({ path }, signal) {
      try {
        return decodeFlush(await readWhole(files, path, signal));
      } catch (error) {
        if (!(error instanceof FlushDamage)) throw error;
        return setAside(damaged, path, error);
      }
    },
    async remove({ path }) {
      await rm(path, { force: true });
    },
    countDamaged: damaged.count,
  };
}

/** A name that was lost is a new one: what lies here is then sent as another host's would be. */
async function provideName(files: PatientFiles, dir: string): Promise<string> {
  const path = join(dir, NAME_FILE);
  const kept = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  if (OUTBOX_NAME.test(kept)) return kept;
  const name = newFlushId();
  await writeDurably(files, path, [Buffer.from(name)], undefined);
  await syncFolder(files, dir, undefined);
  return name;
}

async function setAside(damaged: DamagedFlushes, path: string, damage: FlushDamage): Promise<DamagedFlush> {
  const { head, message: reason } = damage;
  const id = head?.id ?? FILE_NAME.exec(basename(path))?.[1];
  const slots = head && { closes: head.closes, partialSlots: head.partialSlots };
  try {
    return { path: await damaged.take(path), id, slots, reason };
  } catch (error) {
    throw new StoreError('outbox_damaged', `${path} is damaged (${reason}) and cannot be set aside: ${String(error)}`, {
      cause: error,
    });
  }
}

async function readWhole(files: PatientFiles, path: string, signal: AbortSignal | undefined): Promise<Buffer> {
  const file = await files.open(signal, path);
  try {
    return await file.readFile();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw UNREADABLE.has(code) ? new FlushDamage(`it cannot be read: ${code}`) : error;
  } finally {
    await file.close();
  }
}

/** Opens files, and waits while there is no descriptor for one. Each by itself: a flush is written once, however often its folder is tried. */
interface PatientFiles {
  open(signal: AbortSignal | undefined, ...which: Parameters<typeof open>): Promise<FileHandle>;
}

function createPatientFiles({ descriptors, openFile = open }: OutboxOptions): PatientFiles {
  return {
    open(signal, ...which) {
      const attempt = () => openFile(...which);
      return descriptors === undefined ? attempt() : descriptors.patiently(attempt, signal);
    },
  };
}

async function describeFile(path: string): Promise<OutboxEntry> {
  return { path, bytes: (await stat(path)).size };
}

/** A file under its final name is whole: it is written and synced under another one first. */
async function writeDurably(
  files: PatientFiles,
  path: string,
  parts: readonly Uint8Array[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const unfinished = `${path}${UNFINISHED}`;
  const file = await files.open(signal, unfinished, 'w', 0o600);
  try {
    for (const part of parts) await writeAll(file, part);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
}

/** A disk that is nearly full takes a part of what it is given, and says so. */
async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) done += (await file.write(bytes, done)).bytesWritten;
}

async function syncFolder(files: PatientFiles, dir: string, signal: AbortSignal | undefined): Promise<void> {
  const folder = await files.open(signal, dir);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
