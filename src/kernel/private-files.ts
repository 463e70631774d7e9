import { chmod, mkdir, open, stat } from 'node:fs/promises';

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const FOR_OTHERS = 0o077;

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

/**
 * Takes away what others may do with a file or folder of ours. Modes of what belongs to somebody else, or lies on a
 * file system without modes, are not ours to change: then nothing happens.
 */
export async function closeToOthers(path: string, mode: number = FILE_MODE): Promise<void> {
  if (((await stat(path)).mode & FOR_OTHERS) === 0) return;
  await chmod(path, mode).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPERM' && error.code !== 'ENOTSUP') throw error;
  });
}
