import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBatch } from '../../src/books/mint-rows.ts';
import { createFeed } from '../../src/feed/in-process.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { createSlotEconomics } from '../../src/leaders/slot-economics.ts';
import { createStoreClient, readJson, runStatement } from '../../src/store/clickhouse/client.ts';
import { toRowBatch } from '../../src/store/clickhouse/schema/fact-rows.ts';
import { openStore } from '../../src/store/clickhouse/store.ts';
import { createFactsMaker } from '../../test/support/block-facts.ts';
import type { Figures } from '../run/benchmark.ts';
import { median, percentile, rounded } from '../run/statistics.ts';
import { cpuMs } from './filled-windows.ts';

/** Swaps of a block of mainnet: 50 million a day at 2.5 blocks a second. */
const SWAPS_PER_BLOCK = 231;
const BLOCK_BAR_MS = 0.3;
/** Slots of a year at 200 ms. */
const YEAR_SLOTS = 157_680_000;
/** Rows of what a slot paid come with flushes of some slots. */
const SLOTS_PER_INSERT = 200_000;
const GIGABYTE = 1_000_000_000;

export interface LeadersOptions {
  readonly blocks: number;
  /** Slots that are made up in a store, to see what a year of them takes. */
  readonly slots: number;
}

/** What leaders cost: a block in the newest slots' economics, and a year of slots in the store. */
export async function measureLeaders({ blocks, slots }: LeadersOptions): Promise<Figures> {
  return { ...(await measureBlocks(blocks)), ...(await measureYear(slots)) };
}

async function measureBlocks(blocks: number): Promise<Figures> {
  const feed = createFeed({ maxHeldBatches: 8 });
  const economics = createSlotEconomics({ read: async () => [], feed, clock: systemClock, log: silentLogger });
  const maker = createFactsMaker({ swapsPerBlock: SWAPS_PER_BLOCK, mints: 400, traders: 2_000 });
  const times: number[] = [];
  for (let at = 0; at < blocks; at += 1) {
    const batch = toRowBatch(maker.next(), []);
    // Books have decoded it by then: `memory` measures what that takes.
    readBatch(batch);
    const begunAt = process.cpuUsage();
    feed.publish(batch);
    times.push(cpuMs(begunAt));
    feed.commit(batch.lastSlot, 1);
  }
  const { newestSlot } = economics;
  const told = economics.economicsOf(newestSlot - Math.min(blocks, 400) + 1, newestSlot);
  economics.close();
  if (!told.every(({ state, swaps }) => state === 'seen' && swaps === SWAPS_PER_BLOCK)) {
    throw new Error('a slot tells other swaps than its block has');
  }
  return {
    economics_block_ms: rounded(median(times), 4),
    economics_block_p99_ms: rounded(percentile(times, 0.99), 4),
    economics_block_bar_ms: BLOCK_BAR_MS,
    economics_blocks: blocks,
  };
}

/** Bytes of slots as mainnet fills them, which no order or repetition makes small, scaled to a year. */
async function measureYear(slots: number): Promise<Figures> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mintscope-bench-leaders-'));
  const store = await openStore({ url: undefined, dataDir, log: silentLogger, clock: systemClock });
  const client = createStoreClient(store.connection);
  try {
    for (let first = 0; first < slots; first += SLOTS_PER_INSERT) {
      await runStatement(client, made(first, Math.min(SLOTS_PER_INSERT, slots - first)));
    }
    await runStatement(client, 'OPTIMIZE TABLE slot_economics FINAL');
    const [size] = await readJson<{ bytes: string; rows: string }>(
      client,
      `SELECT sum(bytes_on_disk) AS bytes, sum(rows) AS rows FROM system.parts
       WHERE database = currentDatabase() AND table = 'slot_economics' AND active`,
    );
    if (Number(size?.rows) !== slots) throw new Error(`${size?.rows} rows are there, not ${slots}`);
    const bytes = Number(size!.bytes) / slots;
    return {
      economics_slot_bytes: rounded(bytes, 2),
      economics_slots_made: slots,
      economics_year_gb_scaled: rounded((bytes * YEAR_SLOTS) / GIGABYTE),
    };
  } finally {
    await client.close();
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function made(first: number, slots: number): string {
  const unit = (salt: number) => `cityHash64(number, ${salt}) / 18446744073709551615`;
  const around = (median: number, salt: number) =>
    `toUInt128(${median} * exp(1.2 * (${unit(salt)} + ${unit(salt + 1)} + ${unit(salt + 2)} - 1.5) * 2))`;
  return `INSERT INTO slot_economics (slot, partial_slot, time, swaps, unmeasured, priority_fees, tips, fees, vol)
    SELECT toUInt32(400000000 + number), 0, toDateTime(1790000000 + intDiv(number, 5), 'UTC'),
      toUInt64(${SWAPS_PER_BLOCK} * (0.5 + ${unit(1)})), 0, ${around(30_000_000, 10)}, ${around(20_000_000, 20)},
      ${around(400_000_000, 30)}, ${around(60_000_000_000, 40)}
    FROM numbers(${first}, ${slots})`;
}
