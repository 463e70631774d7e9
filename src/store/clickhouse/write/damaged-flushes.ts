import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Files of flushes that were found damaged: kept for people to look at, so many of them at most. */
export interface DamagedFlushes {
  /** Moves a file here. Resolves to where it lies now. */
  take(path: string): Promise<string>;
  /** Number of the files that lie here. */
  count(): Promise<number>;
}

/** Folder of damaged files in the outbox. */
const FOLDER = 'damaged';
const NAME_BYTES = 8;
const MAX_FILES = 32;
const MAX_BYTES = 256 * 1024 ** 2;

export function createDamagedFlushes(outboxDir: string): DamagedFlushes {
  const dir = join(outboxDir, FOLDER);

  /** Removes the oldest of them beyond the bounds, never the newest one. */
  async function trim(newest: string): Promise<void> {
    const others = (await readdir(dir)).map((name) => join(dir, name)).filter((path) => path !== newest);
    const files = await Promise.all(others.map(async (path) => ({ path, about: await stat(path) })));
    files.sort((a, b) => b.about.mtimeMs - a.about.mtimeMs);
    let bytes = (await stat(newest)).size;
    for (const [place, { path, about }] of files.entries()) {
      bytes += about.size;
      if (place + 1 >= MAX_FILES || bytes > MAX_BYTES) await rm(path, { recursive: true, force: true });
    }
  }

  return {
    async take(path) {
      await mkdir(dir, { recursive: true, mode: 0o700 });
      // Numbers of files begin again at 1 when the outbox is empty.
      const target = join(dir, `${randomBytes(NAME_BYTES).toString('hex')}-${basename(path)}`);
      await rename(path, target);
      await trim(target);
      return target;
    },
    async count() {
      try {
        return (await readdir(dir)).length;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
        throw error;
      }
    },
  };
}
