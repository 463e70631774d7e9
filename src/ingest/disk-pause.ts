import type { Clock } from '../kernel/clock.ts';
import type { DiskGuard } from '../store/clickhouse/disk-guard.ts';
import type { IngestStats } from './stats.ts';

/** Holds ingest back while the disk is nearly full. */
export interface DiskPause {
  /** True while it does. */
  readonly low: boolean;
  /** Resolves when there is room, or the signal aborts. */
  room(signal: AbortSignal): Promise<void>;
}

export interface DiskPauseOptions {
  /** Undefined never holds back. */
  readonly guard: DiskGuard | undefined;
  readonly stats: Pick<IngestStats, 'alarm'>;
  readonly clock: Clock;
}

const LOOK_AGAIN_MS = 2_000;
const BYTES_PER_MIB = 1024 ** 2;

export function createDiskPause({ guard, stats, clock }: DiskPauseOptions): DiskPause {
  return {
    get low() {
      return guard?.state.low ?? false;
    },
    async room(signal) {
      if (guard === undefined) return;
      for (let disk = await guard.look(); disk.low && !signal.aborted; disk = await guard.look()) {
        const free = disk.freeBytes === undefined ? '' : ` (${Math.floor(disk.freeBytes / BYTES_PER_MIB)} MiB free)`;
        stats.alarm('disk_low', `the disk is nearly full${free}: ingest waits until there is room`);
        await clock.sleep(LOOK_AGAIN_MS, signal);
      }
      if (!guard.state.low) stats.alarm('disk_low', undefined);
    },
  };
}
