import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import Database from 'libsql';
import { isOutOfDescriptors } from '../../../kernel/descriptors.ts';
import { makePrivateFile } from '../../../kernel/private-files.ts';
import { isOutOfRoom } from '../read/question-faults.ts';
import { StoreError } from '../store-error.ts';

/** Keeps a data folder to one process. */
export interface DataLock {
  release(): Promise<void>;
}

/** Name of the lock's file in the data folder. */
export const LOCK_FILE = 'writer.lock';
/** Something else lies where a folder has to be. */
const NO_FOLDER: ReadonlySet<string> = new Set(['EEXIST', 'ENOTDIR']);

/**
 * Throws `store_in_use` while another living process holds the folder, `folder_unusable` when it may not be written.
 *
 * The lock is an open transaction in a SQLite file, which is to say a lock of
 * the kernel: it ends with its process, however that ends, and two that ask at
 * the same moment cannot both get it. A file with a process number in it gives neither.
 */
export async function lockDataFolder(dir: string): Promise<DataLock> {
  const file = await openFile(dir);
  try {
    file.exec('BEGIN IMMEDIATE');
    // Others may read it while the lock is held. Only the message needs it.
    file.exec(`PRAGMA user_version = ${process.pid}; COMMIT; BEGIN IMMEDIATE`);
  } catch (error) {
    const refusal = isBusy(error) ? inUse(dir, file) : unusable(dir, error);
    file.close();
    throw refusal;
  }
  return {
    async release() {
      file.close();
    },
  };
}

async function openFile(dir: string): Promise<Database.Database> {
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const path = join(dir, LOCK_FILE);
    // Whoever may read it may hold a lock on it too, and keep the service from starting.
    await makePrivateFile(path);
    return new Database(path);
  } catch (error) {
    throw unusable(dir, error);
  }
}

/**
 * Turns an error of the system about the data folder, or a place in it, into `folder_unusable`, and ClickHouse's error
 * about a full disk into `no_room`, each with what to do about it; any other error stays what it is.
 */
export function folderFault(dir: string, error: unknown): unknown {
  if (error instanceof StoreError || isOutOfDescriptors(error)) return error;
  if (isOutOfRoom(error)) return noRoom(dir, error);
  const { path } = error as NodeJS.ErrnoException;
  return path !== undefined && resolve(path).startsWith(resolve(dir)) ? unusable(dir, error) : error;
}

function noRoom(dir: string, cause: unknown): StoreError {
  const remedy = `make room on the disk of ${dir}, or of your ClickHouse, and start again`;
  return new StoreError('no_room', `the store does not open, its disk is too full: ${String(cause)}: ${remedy}`, {
    cause,
  });
}

function unusable(dir: string, cause: unknown): StoreError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StoreError('folder_unusable', `the data folder ${dir} cannot be used: ${reason}: ${remedy(dir, cause)}`, {
    cause,
  });
}

function remedy(dir: string, cause: unknown): string {
  const { code = '', path, message } = cause as NodeJS.ErrnoException;
  // libsql names the file only when it cannot open it, and never says what to do.
  if (/not a database|ConnectionFailed|malformed/.test(message)) {
    return `${join(dir, LOCK_FILE)} holds nothing to keep: remove it, or let this user write it`;
  }
  if (NO_FOLDER.has(code)) return `${path} has to be a folder: move away what lies there, or set MINTSCOPE_DATA_DIR`;
  return 'this user has to be able to write there, or set MINTSCOPE_DATA_DIR';
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY';
}

function inUse(dir: string, file: Database.Database): StoreError {
  const [holder] = file.pragma('user_version') as { user_version: number }[];
  return new StoreError(
    'store_in_use',
    `another mintscope (process ${holder?.user_version}) works on the data folder ${dir}: stop it, or use another folder`,
  );
}
