import { newestTime } from '../../src/chain/newest-time.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { createWindowReads } from '../../src/market/market-reads.ts';
import { Portions } from '../../src/market/portions.ts';
import { readWindows } from '../../src/market/warm-windows.ts';
import { createStoreClient } from '../../src/store/clickhouse/client.ts';
import { openStore } from '../../src/store/clickhouse/store.ts';
import { provideGrownStore } from '../recovery/grown-store.ts';
import type { Figures } from '../run/benchmark.ts';
import { rounded } from '../run/statistics.ts';
import type { ListsOptions } from './lists.ts';

type GrownMarket = Pick<ListsOptions, 'swaps' | 'stride' | 'passing'>;

const END_OF_SLOTS = 0xffff_ffff;

/** Windows read from a grown market. */
export async function measureWarmUp({ swaps, stride, passing }: GrownMarket): Promise<Figures> {
  const dataDir = await provideGrownStore(swaps, stride, passing);
  const store = await openStore({ url: undefined, dataDir, log: silentLogger, clock: systemClock });
  const client = createStoreClient(store.connection);
  try {
    const reads = createWindowReads(client);
    const begunAt = performance.now();
    const blocks = await reads.newest(END_OF_SLOTS);
    const newest = blocks.at(-1);
    if (newest === undefined) throw new Error('the store has no block');
    const now = newestTime(
      blocks.map(({ time }) => time),
      newest.time,
    );
    let stallMs = 0;
    let turnAt = performance.now();
    const watch = setInterval(() => {
      stallMs = Math.max(stallMs, performance.now() - turnAt);
      turnAt = performance.now();
    }, 1);
    const portions = new Portions(systemClock);
    const { signal } = new AbortController();
    const windows = await readWindows({ reads, mark: newest.slot, now, portions, clock: systemClock, signal });
    clearInterval(watch);
    const warmS = (performance.now() - begunAt) / 1_000;
    const weeks = [0, 1, 2].map((venue) => windows.book.market('', venue, 'week'));
    const counted = weeks.reduce((sum, week) => sum + (week?.buys ?? 0) + (week?.sells ?? 0), 0);
    if (counted === 0) throw new Error('nothing was counted');
    return {
      ...{ warm_s: rounded(warmS), warm_bar_s: 10, warm_swaps: counted, warm_series: windows.book.size },
      ...{ warm_stall_ms: rounded(stallMs, 1), warm_mb: rounded(windows.bytes / 1_000_000, 1) },
    };
  } finally {
    await client.close();
    await store.close();
  }
}
