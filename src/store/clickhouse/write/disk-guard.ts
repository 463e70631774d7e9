import { statfs } from 'node:fs/promises';
import type { Clock } from '../../../kernel/clock.ts';
import type { Logger } from '../../../kernel/log.ts';
import { readJson, type StoreClient } from '../client.ts';

/** Says when the disk is about to be full, early enough to stop writing in order. */
export interface DiskGuard {
  /**
   * Looks again when the last look is older than {@link LOOK_EVERY_MS}, so that it
   * can be asked before every flush. Never rejects.
   */
  look(): Promise<DiskState>;
  /** The state at the last look. */
  readonly state: DiskState;
}

export interface DiskState {
  /** Of the fullest disk that is written to; undefined before the first look, and when nobody says. */
  readonly freeBytes: number | undefined;
  /** True below the bound, and until there is clearly more than that again. */
  readonly low: boolean;
}

export interface DiskGuardOptions {
  /** Holds the outbox, and the embedded server's data. */
  readonly dataDir: string;
  /** Your ClickHouse, which has disks of its own; undefined with the embedded one. */
  readonly client: StoreClient | undefined;
  /** 0 never calls a disk low. */
  readonly minFreeBytes: number;
  readonly clock: Clock;
  readonly log: Logger;
  /** Reads the free bytes of each disk; for tests. */
  readonly readFree?: () => Promise<readonly number[]>;
}

export const LOOK_EVERY_MS = 2_000;
/** Bytes that must be free, as a multiple of the bound, before a low disk counts as good again. */
const RECOVERED = 1.25;

/** The server's code for what a user may not ask. */
const ACCESS_DENIED = '497';

const UNITS: Readonly<Record<string, number>> = { M: 1024 ** 2, G: 1024 ** 3, T: 1024 ** 4 };

/** Bytes of a size such as `500M`, `2G` or `1T`, in powers of 1,024. */
export function readByteSize(text: string): number {
  const [, digits, unit = ''] = /^(\d+)([MGT]?)$/.exec(text) ?? [];
  if (digits === undefined) throw new RangeError(`${text} is no size: write 500M, 2G or 1T`);
  return Number(digits) * (UNITS[unit] ?? 1);
}

export function createDiskGuard(options: DiskGuardOptions): DiskGuard {
  const { dataDir, client, minFreeBytes, clock, log } = options;
  const { readFree = () => readFreeBytes(dataDir, client) } = options;
  let state: DiskState = { freeBytes: undefined, low: false };
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<DiskState> | undefined;
  let failing = false;

  async function lookNow(): Promise<DiskState> {
    try {
      const freeBytes = Math.min(...(await readFree()));
      const bound = state.low ? minFreeBytes * RECOVERED : minFreeBytes;
      state = { freeBytes, low: freeBytes < bound };
      failing = false;
    } catch (error) {
      // A disk that cannot be asked is no full disk; a low one stays low until somebody says otherwise.
      if (!failing) log.warn({ err: String(error) }, 'could not read how much of the disk is free');
      failing = true;
    }
    lookedAt = clock.elapsed();
    return state;
  }

  return {
    get state() {
      return state;
    },
    async look() {
      if (clock.elapsed() - lookedAt < LOOK_EVERY_MS) return state;
      looking ??= lookNow().finally(() => {
        looking = undefined;
      });
      return looking;
    },
  };
}

/** Free bytes of the data folder's disk, and of those of your ClickHouse if it lets us know them. */
async function readFreeBytes(dataDir: string, client: StoreClient | undefined): Promise<readonly number[]> {
  const { bavail, bsize } = await statfs(dataDir);
  const ours = bavail * bsize;
  if (client === undefined) return [ours];
  const theirs = await readServerDisks(client).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === ACCESS_DENIED) return [];
    throw error;
  });
  return [ours, ...theirs];
}

/** Free bytes of the disks that a table can be on. Remote ones say that they have no end. */
export async function readServerDisks(client: StoreClient): Promise<number[]> {
  const disks = await readJson<{ free: string }>(
    client,
    `SELECT toUInt64(unreserved_space) AS free FROM system.disks
     WHERE NOT is_read_only AND NOT is_broken
       AND name IN (SELECT arrayJoin(disks) FROM system.storage_policies WHERE policy_name IN (
         SELECT storage_policy FROM system.tables WHERE database = currentDatabase()))`,
  );
  return disks.map(({ free }) => Number(free));
}
