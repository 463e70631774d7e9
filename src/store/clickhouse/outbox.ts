import { randomBytes } from 'node:crypto';
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Descriptors } from '../../kernel/descriptors.ts';
import { makePrivateFolder } from '../../kernel/private-files.ts';
import type { SlotRange } from './coverage.ts';
import { StoreError } from './store-error.ts';
import type { FactTableName } from './tables.ts';

/** All rows of some slots, as the very bytes to insert. */
export interface Flush {
  /** Names the flush for ever: with a table's name it is the token that keeps an insert from happening twice. */
  readonly id: string;
  /** Of the lease under which it was made; undefined where the folder's lock is the lease. */
  readonly epoch?: number | undefined;
  /** Slots that are whole once the flush is in the store. */
  readonly closes: readonly SlotRange[];
  /** Slots of which it has rows of single transactions. */
  readonly partialSlots: readonly number[];
  readonly tables: readonly FlushTable[];
}

export interface FlushTable {
  readonly table: FactTableName;
  /** Order of the values in `bytes`: what is resent may be older than the layouts we have now. */
  readonly columns: readonly string[];
  readonly rows: number;
  readonly bytes: Uint8Array;
}

/** A flush that is on disk. */
export interface OutboxEntry {
  readonly path: string;
  readonly bytes: number;
}

/**
 * Flushes on their way to the store, a file each, oldest first by name. A flush
 * is in the outbox from before its first insert until after its last one.
 */
export interface Outbox {
  /**
   * Resolves when the flush survives a crash of this process and of the machine.
   * Waits while there is no file descriptor; the signal ends that.
   */
  write(flush: Flush, signal?: AbortSignal): Promise<OutboxEntry>;
  read(entry: OutboxEntry, signal?: AbortSignal): Promise<Flush>;
  remove(entry: OutboxEntry): Promise<void>;
  /** What an earlier process left behind, oldest first. */
  readonly leftovers: readonly OutboxEntry[];
}

const MAGIC = Buffer.from('mintscope-flush-1\n');
const SUFFIX = '.flush';
const UNFINISHED = '.tmp';
const SEQUENCE_DIGITS = 12;
const HEADER_LENGTH_BYTES = 4;
const ID_BYTES = 12;

export function newFlushId(): string {
  return randomBytes(ID_BYTES).toString('hex');
}

export interface OutboxOptions {
  /** Waited for when there is none left; without it a file that cannot be opened for want of one is an error. */
  readonly descriptors?: Pick<Descriptors, 'patiently'>;
  /** How files are opened; for tests. */
  readonly openFile?: typeof open;
}

export async function openOutbox(dir: string, options: OutboxOptions = {}): Promise<Outbox> {
  const files = createPatientFiles(options);
  await makePrivateFolder(dir);
  const names = await readdir(dir);
  // Never renamed, hence never inserted: whoever wrote it was not told that it is safe.
  await Promise.all(names.filter((name) => name.endsWith(UNFINISHED)).map((name) => rm(join(dir, name))));
  const flushes = names.filter((name) => name.endsWith(SUFFIX)).sort();
  const leftovers = await Promise.all(flushes.map((name) => describeFile(join(dir, name))));
  let sequence = Number.parseInt(flushes.at(-1) ?? '0', 10);

  return {
    leftovers,
    async write(flush, signal) {
      sequence += 1;
      const path = join(dir, `${String(sequence).padStart(SEQUENCE_DIGITS, '0')}${SUFFIX}`);
      const parts = encodeFlush(flush);
      await writeDurably(files, path, parts, signal);
      await syncFolder(files, dir, signal);
      return { path, bytes: parts.reduce((sum, part) => sum + part.length, 0) };
    },
    async read({ path }, signal) {
      const file = await files.open(signal, path);
      try {
        return decodeFlush(path, await file.readFile());
      } finally {
        await file.close();
      }
    },
    async remove({ path }) {
      await rm(path, { force: true });
    },
  };
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
    for (const part of parts) await file.write(part);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
}

async function syncFolder(files: PatientFiles, dir: string, signal: AbortSignal | undefined): Promise<void> {
  const folder = await files.open(signal, dir);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

interface Header extends Pick<Flush, 'id' | 'closes' | 'partialSlots'> {
  readonly tables: readonly (Omit<FlushTable, 'bytes'> & { readonly length: number })[];
}

function encodeFlush({ tables, ...rest }: Flush): Uint8Array[] {
  const header: Header = { ...rest, tables: tables.map(({ bytes, ...table }) => ({ ...table, length: bytes.length })) };
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(HEADER_LENGTH_BYTES);
  length.writeUInt32LE(json.length);
  return [Buffer.concat([MAGIC, length, json]), ...tables.map(({ bytes }) => bytes)];
}

function decodeFlush(path: string, file: Buffer): Flush {
  const start = MAGIC.length + HEADER_LENGTH_BYTES;
  if (file.length < start || !file.subarray(0, MAGIC.length).equals(MAGIC)) throw damaged(path);
  let offset = start + file.readUInt32LE(MAGIC.length);
  const header = JSON.parse(file.toString('utf8', start, offset)) as Header;
  const tables = header.tables.map(({ length, ...table }) => {
    offset += length;
    return { ...table, bytes: file.subarray(offset - length, offset) };
  });
  if (offset !== file.length) throw damaged(path);
  return { ...header, tables };
}

function damaged(path: string): StoreError {
  return new StoreError(
    'outbox_damaged',
    `${path} is no flush of ours, or not whole: move it away to start without it`,
  );
}
