import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A disk of a few megabytes, to be filled. */
export interface SmallDisk {
  /** Takes every byte that is left, or all but so many. */
  fill(leaveBytes?: number): void;
  /** Gives them back. */
  makeRoom(): void;
  /** Its files go with it. */
  unmount(): void;
}

/** A disk of its own in that folder, of a size such as `160m`; undefined where we may not mount one. */
export function mountSmallDisk(dir: string, size: string): SmallDisk | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  mkdirSync(dir, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'tmpfs', dir], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  const filler = join(dir, 'filler');
  const device = statSync(dir).dev;
  return {
    fill(leaveBytes = 0) {
      // After an unmount this is a folder of a larger disk.
      if (statSync(dir).dev !== device) throw new Error(`no small disk is mounted at ${dir} any more`);
      const { bavail, bsize } = statfsSync(dir);
      fillUp(filler, leaveBytes === 0 ? Number.POSITIVE_INFINITY : bavail * bsize - leaveBytes);
    },
    makeRoom: () => rmSync(filler, { force: true }),
    unmount: () => {
      execFileSync('umount', ['-l', dir]);
    },
  };
}

/** At most so many bytes more. */
function fillUp(path: string, bytes: number): void {
  const file = openSync(path, 'a');
  let left = bytes;
  for (const size of [1 << 20, 1 << 12, 1]) {
    try {
      for (; left >= size; left -= size) writeSync(file, Buffer.alloc(size));
    } catch {
      // No room for so much: less of it is tried.
    }
  }
  closeSync(file);
}
