import { accessSync, chmodSync, constants, readFileSync, statfsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Memory that looks like a disk: nothing in it waits to be written, and nothing of a test has to outlive the machine. */
const MEMORY = '/dev/shm';
/** Twice the bytes that a whole run leaves there at most: others use the place too. */
const MIN_FREE_BYTES = 4 * 1024 ** 3;
/** Postgres, which root runs as somebody else, goes through it. */
const OTHERS_MAY_ENTER = 0o711;

/** Vitest's global setup: a folder for everything that the run puts into `tmpdir()`, which goes away with it. */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(isRoomy(MEMORY) ? MEMORY : tmpdir(), 'mintscope-tests-'));
  chmodSync(folder, OTHERS_MAY_ENTER);
  const before = process.env.TMPDIR;
  // Workers are started behind this, and get it.
  process.env.TMPDIR = folder;
  return async () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  };
}

/** True when there is such a place, with room, in which programs may be run. */
function isRoomy(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
    const options = mounts.findLast((line) => line.split(' ')[1] === folder)?.split(' ')[3] ?? 'noexec';
    return bavail * bsize >= MIN_FREE_BYTES && !options.split(',').includes('noexec');
  } catch {
    return false;
  }
}
