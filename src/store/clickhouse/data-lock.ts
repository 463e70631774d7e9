import { readFileSync } from 'node:fs';
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreError } from './store-error.ts';

/** Keeps a data folder to one process. */
export interface DataLock {
  release(): Promise<void>;
}

interface Holder {
  readonly pid: number;
  /** When the process started, as the kernel counts; tells it from a later one of the same number. Linux only. */
  readonly startedAt: string | undefined;
}

const FILE = 'writer.lock';
/** A lock whose holder is gone is removed and taken; someone else may be doing the same. */
const TRIES = 5;

/** Throws `store_in_use` while another living process holds the folder. What a dead one left behind is taken over. */
export async function lockDataFolder(dir: string): Promise<DataLock> {
  await mkdir(dir, { recursive: true });
  const path = join(dir, FILE);
  for (let attempt = 0; attempt < TRIES; attempt++) {
    try {
      const file = await open(path, 'wx', 0o600);
      await file.writeFile(JSON.stringify(holderOf(process.pid)));
      await file.close();
      return { release: () => rm(path, { force: true }) };
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error;
    }
    const holder = await readHolder(path);
    if (holder !== undefined && isAlive(holder)) {
      throw new StoreError(
        'store_in_use',
        `process ${holder.pid} works on the data folder ${dir}: stop it, or use another folder`,
      );
    }
    await rm(path, { force: true });
  }
  throw new StoreError('store_in_use', `the lock of the data folder ${dir} is contended`);
}

async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder;
  } catch {
    // Cut off while it was written, or gone in the meantime.
    return undefined;
  }
}

function isAlive(holder: Holder): boolean {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    // Not ours to signal, but there.
    if (!isCode(error, 'EPERM')) return false;
  }
  return holder.startedAt === holderOf(holder.pid).startedAt;
}

function holderOf(pid: number): Holder {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Behind the program's name, which is in parentheses and may hold anything, it is the 20th field.
    return { pid, startedAt: stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] };
  } catch {
    return { pid, startedAt: undefined };
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
