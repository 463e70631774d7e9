import type { Clock } from '../../kernel/clock.ts';
import type { DiskGuard } from '../../store/clickhouse/write/disk-guard.ts';
import type { IngestStats } from '../report/stats.ts';

/** Holds ingest back while the disk is nearly full. */
export interface DiskPause {
  /** True while it does, as of the last look. Asking has it looked at again, also while no block comes. */
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
  if (guard === undefined) return { low: false, room: async () => {} };

  const isLow = async (): Promise<boolean> => {
    const { low, freeBytes } = await guard.look();
    const free = freeBytes === undefined ? '' : ` (${Math.floor(freeBytes / BYTES_PER_MIB)} MiB free)`;
    stats.alarm('disk_low', low ? `the disk is nearly full${free}: ingest waits until there is room` : undefined);
    return low;
  };

  return {
    get low() {
      void isLow();
      return guard.state.low;
    },
    async room(signal) {
      while ((await isLow()) && !signal.aborted) await clock.sleep(LOOK_AGAIN_MS, signal);
    },
  };
}
