import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const MAX_BYTES = 1_073_741_824;

/**
 * Every byte of a SQLite file and of what lies beside it under its name. Read by another process: to close a file that
 * this one has open as a database would end the locks that it holds.
 */
export function bytesOfDatabase(file: string): Buffer {
  const names = readdirSync(dirname(file)).filter((name) => name.startsWith(basename(file)));
  return execFileSync(
    'cat',
    names.map((name) => join(dirname(file), name)),
    { maxBuffer: MAX_BYTES },
  );
}
