import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFeed } from '../src/feed/in-process.ts';
import { MAX_UNCOMMITTED_BATCHES } from '../src/ingest/live/pipeline.ts';
import { startIngestThread } from '../src/ingest/thread.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { createLogger } from '../src/kernel/log.ts';
import { openStore, type Store } from '../src/store/clickhouse/store.ts';
import { ATTEMPTS_PER_SLOT, createMarket, SWAPS_PER_SLOT, TRANSFERS_PER_SLOT } from './disk/market.ts';
import { measureTables, type TableSize } from './disk/table-sizes.ts';
import { provideChainFile, SHORT_SLOTS } from './ingest/chain-file.ts';
import type { BenchmarkOptions, Figures } from './run/benchmark.ts';
import { rounded } from './run/statistics.ts';

/**
 * Bytes on disk per row, of a made-up market (bench/disk/market.ts) that goes
 * through the writer, and of the simulator's chain for comparison. The bars are
 * bytes; a ratio above one says by how much the worst of them is held.
 */
const BARS = { swap: 230, attempt: 90, transfer: 150 } as const;
const TABLES_OF = {
  swap: ['swaps', 'swaps_by_trader', 'candles', 'positions', 'positions_by_trader'],
  attempt: ['attempts'],
  transfer: ['transfers', 'transfers_by_wallet'],
} as const;
type Kind = keyof typeof BARS;

const MARKET = { seed: 1, firstSlot: 400_000_000, firstTime: 1_790_000_000 } as const;
/** Swaps of the market, and slots of the simulator's chain. */
const WHOLE = { swaps: 3_000_000, slots: 300 };
const SHORT = { swaps: 25_000, slots: SHORT_SLOTS };
const SLOTS_PER_FLUSH = 250;
/** Flushes under way, so that rows are made while others are written. */
const FLUSHES_AHEAD = 2;
/** Columns that are named; the rest is summed up. */
const MIN_COLUMN_BYTES = 0.05;

export async function run({ short, words }: BenchmarkOptions): Promise<Figures> {
  const { swaps, slots } = short ? SHORT : { ...WHOLE, swaps: Number(words[0] ?? WHOLE.swaps) };
  const market = await measure('a made-up market', (store) => fillFromMarket(store, swaps));
  const simulated = await measure('the simulator', (store, dataDir) => fillFromSimulator(store, dataDir, slots));
  return {
    bench: 'disk',
    ratio: Math.min(...kinds().map((kind) => rounded(BARS[kind] / market[kind]))),
    bar: 1,
    swaps,
    ...named(market, ''),
    ...named(simulated, 'simulator_'),
  };
}

type Bytes = Readonly<Record<Kind, number>>;
/** Rows that went in, of the first table of each kind. */
type Filled = Readonly<Record<Kind, number>>;

async function measure(title: string, fill: (store: Store, dataDir: string) => Promise<Filled>): Promise<Bytes> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mintscope-bench-disk-'));
  const store = await openStore({ url: undefined, dataDir, log: createLogger('error'), clock: systemClock });
  try {
    const filled = await fill(store, dataDir);
    const sizes = await measureTables(store.client, Object.values(TABLES_OF).flat());
    assertStored(filled, sizes);
    return report(title, sizes);
  } finally {
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function assertStored(filled: Filled, sizes: ReadonlyMap<string, TableSize>): void {
  for (const kind of kinds()) {
    const [name] = TABLES_OF[kind];
    const stored = sizes.get(name)?.rows;
    if (stored !== filled[kind]) throw new Error(`${filled[kind]} rows went into ${name}, ${stored} are there`);
  }
}

async function fillFromMarket({ writer }: Store, swaps: number): Promise<Filled> {
  const market = createMarket({ ...MARKET, swaps });
  const ahead: Promise<void>[] = [];
  let slots = 0;
  for (; slots * SWAPS_PER_SLOT < swaps; slots += SLOTS_PER_FLUSH) {
    ahead.push(writer.flush([market.next(SLOTS_PER_FLUSH)]));
    if (ahead.length > FLUSHES_AHEAD) await ahead.shift();
  }
  await Promise.all(ahead);
  return { swap: slots * SWAPS_PER_SLOT, attempt: slots * ATTEMPTS_PER_SLOT, transfer: slots * TRANSFERS_PER_SLOT };
}

async function fillFromSimulator({ connection }: Store, dataDir: string, slots: number): Promise<Filled> {
  const { path } = await provideChainFile(slots);
  const ingest = await startIngestThread({
    worker: { source: { kind: 'replay', path }, store: { connection, dataDir }, logLevel: 'error' },
    feed: createFeed({ maxHeldBatches: MAX_UNCOMMITTED_BATCHES }),
    clock: systemClock,
    log: createLogger('error'),
  });
  await ingest.finished;
  const { swaps, attempts, transfers } = ingest.stats().facts;
  return { swap: swaps, attempt: attempts, transfer: transfers };
}

function report(title: string, sizes: ReadonlyMap<string, TableSize>): Bytes {
  console.log(`\nbytes on disk, ${title}`);
  const total = { swap: 0, attempt: 0, transfer: 0 };
  for (const kind of kinds()) {
    const rows = sizes.get(TABLES_OF[kind][0])?.rows ?? 0;
    for (const name of TABLES_OF[kind]) {
      const size = sizes.get(name);
      if (size === undefined) continue;
      total[kind] += size.bytes / rows;
      console.log(
        `${name}: ${rounded(size.bytes / rows)} per ${kind} (${size.rows} rows of ${rounded(size.bytes / size.rows)})`,
      );
      console.log(`  ${columnsOf(size)}`);
    }
    console.log(`per ${kind}: ${rounded(total[kind])}, bar ${BARS[kind]}`);
  }
  return total;
}

function columnsOf({ rows, columns }: TableSize): string {
  const each = Object.entries(columns).map(([name, bytes]) => ({ name, bytes: bytes / rows }));
  const large = each.filter(({ bytes }) => bytes >= MIN_COLUMN_BYTES);
  const rest = each.filter(({ bytes }) => bytes < MIN_COLUMN_BYTES).reduce((sum, { bytes }) => sum + bytes, 0);
  return [...large.map(({ name, bytes }) => `${name} ${rounded(bytes)}`), `others ${rounded(rest)}`].join(', ');
}

function named(bytes: Bytes, prefix: string): Record<string, number> {
  return Object.fromEntries(kinds().map((kind) => [`${prefix}bytes_per_${kind}`, rounded(bytes[kind])]));
}

function kinds(): Kind[] {
  return Object.keys(BARS) as Kind[];
}
