import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { Logger } from './log.ts';

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const FOR_OTHERS = 0o077;
/** Not ours, a file system without modes, or one that nobody may write to. */
const NOT_OURS_TO_CHANGE = ['EPERM', 'ENOTSUP', 'EROFS'];
const UNFINISHED_NAME_BYTES = 8;

/** Makes a folder that nobody but its owner can enter; one that is there and ours becomes so. Folders above it are made the same way and otherwise left alone. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: FOLDER_MODE });
  await closeToOthers(path, FOLDER_MODE);
}

/**
 * Makes an empty file that nobody but its owner can read; one that is there keeps what it holds and becomes so. That one
 * is never opened: closing it would end the locks that this process has on it, as those of a database.
 */
export async function makePrivateFile(path: string): Promise<void> {
  try {
    await (await open(path, 'wx', FILE_MODE)).close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    await closeToOthers(path, FILE_MODE);
  }
}

/** Writes a file that nobody but its owner can read, in the place of one that others may read, or have open. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const unfinished = `${path}.${randomBytes(UNFINISHED_NAME_BYTES).toString('hex')}`;
  try {
    await writeFile(unfinished, text, { mode: FILE_MODE, flag: 'wx' });
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw error;
  }
}

/**
 * Takes away what others may do with a file or folder of ours. Modes of what belongs to somebody else, or lies on a
 * file system without modes or one that is read-only, are not ours to change: then nothing happens.
 */
export async function closeToOthers(path: string, mode: number = FILE_MODE): Promise<void> {
  if (!(await isOpenToOthers(path))) return;
  await chmod(path, mode).catch((error: NodeJS.ErrnoException) => {
    if (!NOT_OURS_TO_CHANGE.includes(error.code ?? '')) throw error;
  });
}

/** Warns of every file and folder that others may read, write or enter all the same. What is not there is none. */
export async function warnOfOthers(paths: readonly string[], log: Pick<Logger, 'warn'>): Promise<void> {
  for (const path of paths) {
    const isOpen = await isOpenToOthers(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return false;
    });
    if (isOpen) {
      log.warn({ path }, 'other users of this machine may read or enter this, and its mode is not ours to change');
    }
  }
}

async function isOpenToOthers(path: string): Promise<boolean> {
  return ((await stat(path)).mode & FOR_OTHERS) !== 0;
}
