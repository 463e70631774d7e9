import { systemClock } from '../src/kernel/clock.ts';
import { silentLogger } from '../src/kernel/log.ts';
import type { StoreClient } from '../src/store/clickhouse/client.ts';
import { leaseOwner } from '../src/store/clickhouse/write/lease-rows.ts';
import { openOutbox } from '../src/store/clickhouse/write/outbox.ts';
import { readSlotIndex } from '../src/store/clickhouse/write/slot-index.ts';
import { createWriter, type StoreWriter } from '../src/store/clickhouse/write/writer.ts';
import { createFactsMaker } from '../test/support/block-facts.ts';
import { openStoreHosts, type StoreHosts, takeOver } from '../test/support/store-hosts.ts';
import type { BenchmarkOptions, Figures } from './run/benchmark.ts';
import { median, medianRatio, rounded } from './run/statistics.ts';

/**
 * A flush under a lease, which the server holds to it, against the same flush of a writer that nobody can replace: two
 * databases of one server, the same blocks, taken in turn. `ratio` is the fenced flush's time over the other's, the
 * median of the pairs; lower is better. The embedded engine belongs to one process and pays nothing.
 */
const BAR = 1.1;
const BLOCKS = 20;
const SWAPS = 100;
const PAIRS = { whole: 150, short: 3 };
const WARM_UP = 3;
/** Rows of the lease: a writer renews it every three seconds, and for nine hours of them no server tidies up. */
const RENEWALS = 3_000;

export async function run({ short }: BenchmarkOptions): Promise<Figures> {
  const pairs = short ? PAIRS.short : PAIRS.whole;
  const hosts = await openStoreHosts();
  try {
    const sides = { plain: await openPlain(hosts), fenced: await openFenced(hosts) };
    const times = { plain: [] as number[], fenced: [] as number[] };
    for (let pair = -WARM_UP; pair < pairs; pair += 1) {
      const order = pair % 2 === 0 ? (['plain', 'fenced'] as const) : (['fenced', 'plain'] as const);
      for (const name of order) {
        const ms = await sides[name].flush();
        if (pair >= 0) times[name].push(ms);
      }
    }
    for (const side of Object.values(sides)) await side.close();
    return {
      bench: 'fence',
      ratio: rounded(medianRatio(times.fenced, times.plain)),
      bar: BAR,
      plain_ms: rounded(median(times.plain)),
      fenced_ms: rounded(median(times.fenced)),
      pairs,
      blocks_per_flush: BLOCKS,
      swaps_per_block: SWAPS,
    };
  } finally {
    await hosts.close();
  }
}

interface Side {
  /** Milliseconds until the store answers for the next blocks. */
  flush(): Promise<number>;
  close(): Promise<void>;
}

async function openPlain(hosts: StoreHosts): Promise<Side> {
  const client = await hosts.openDatabase();
  const writer = createWriter({
    client,
    outbox: await openOutbox(await hosts.newFolder()),
    slotIndex: await readSlotIndex(client),
    assertLease() {},
    log: silentLogger,
    clock: systemClock,
  });
  return sideOf(client, writer);
}

async function openFenced(hosts: StoreHosts): Promise<Side> {
  const client = await hosts.openDatabase();
  const folder = await hosts.newFolder();
  const writer = await takeOver(client, { folder, epoch: 1 });
  const owner = leaseOwner('', folder);
  await client.insert({
    table: 'writer_lease',
    values: Array.from({ length: RENEWALS }, (_, i) => ({ epoch: 1, owner, renewal: i + 2, released: false })),
    format: 'JSONEachRow',
    columns: ['epoch', 'owner', 'renewal', 'released'],
  });
  return sideOf(client, writer);
}

function sideOf(client: StoreClient, writer: StoreWriter): Side {
  const maker = createFactsMaker({ swapsPerBlock: SWAPS });
  return {
    async flush() {
      const batches = Array.from({ length: BLOCKS }, () => maker.nextBatch());
      const begun = performance.now();
      await writer.flush(batches);
      return performance.now() - begun;
    },
    async close() {
      await writer.close(1_000);
      await client.close();
    },
  };
}
