import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SIMULATED_CHAIN } from '../../src/chain/clusters.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createLogger } from '../../src/kernel/log.ts';
import { columnList, createStoreClient, runStatement, type StoreClient } from '../../src/store/clickhouse/client.ts';
import { DERIVED_TABLES } from '../../src/store/clickhouse/derived/derived-tables.ts';
import { readMigrations } from '../../src/store/clickhouse/migrations.ts';
import { PACKED_TABLES } from '../../src/store/clickhouse/schema/packed-selects.ts';
import { FACT_TABLES, type FactTableName, SWAPS } from '../../src/store/clickhouse/schema/tables.ts';
import { openStore } from '../../src/store/clickhouse/store.ts';
import {
  FIRST_SLOT,
  factSelects,
  type GrownSize,
  type PassingTokens,
  POSITION_SLICES,
  positionsSelect,
  SLOTS_PER_S,
  SWAPS_PER_SLOT,
  swapPlace,
  swapsSelect,
} from './grown-rows.ts';

/**
 * A data folder with many swaps, their copies, rollups and positions, the
 * creations of their tokens, and a share of attempts, sends and fundings, made by
 * the server itself: minutes instead of the hour that ingest would take. It is
 * kept for later runs, and made anew when the tables have changed. Positions are
 * sums, not the fold in order: for questions, not for `verify`. `stride`: slots from one that has swaps to the next. `passing`: tokens
 * that come and go, instead of those that are traded all along.
 */
export async function provideGrownStore(swaps: number, stride = 1, passing?: PassingTokens): Promise<string> {
  const ofTokens = passing === undefined ? '' : `t${passing.tokens}`;
  const kind = `${PREFIX}${swaps}${stride === 1 ? '' : `x${stride}`}${ofTokens}-`;
  const dir = join(tmpdir(), `${kind}${layoutVersion()}`);
  if (existsSync(join(dir, WHOLE))) return dir;
  for (const name of readdirSync(tmpdir())) {
    if (name.startsWith(kind)) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
  const { bavail, bsize } = statfsSync(tmpdir());
  if (bavail * bsize < swaps * DISK_PER_SWAP) throw new Error(`${swaps} swaps need more disk than ${tmpdir()} has`);
  console.error(`making a store of ${swaps} swaps, once: this takes some minutes`);
  // Its slots are made up, and the simulator goes on behind them.
  const chain = { id: SIMULATED_CHAIN, knownBy: 'the bench', simulatedStart: FIRST_SLOT };
  const log = createLogger('error');
  const store = await openStore({ url: undefined, dataDir: dir, chain, log, clock: systemClock });
  const client = createStoreClient(store.connection, { requestTimeoutMs: STATEMENT_TIMEOUT_MS });
  try {
    await grow(client, { swaps, passing }, stride);
  } finally {
    await client.close();
    await store.close();
  }
  writeFileSync(join(dir, WHOLE), '');
  return dir;
}

/** Of the store that benchmarks share in their short form. */
export const SHORT_SWAPS = 200_000;
const PREFIX = 'mintscope-bench-recovery-';
/** There when the store is whole. */
const WHOLE = 'grown';
/** Merges need room beside what they merge. */
const DISK_PER_SWAP = 600;
const STATEMENT_TIMEOUT_MS = 900_000;
/** Rows made at once, and rows of one part. */
const CHUNK_ROWS = 2_000_000;
const PART_ROWS = 250_000;

async function grow(client: StoreClient, size: GrownSize, stride: number): Promise<void> {
  const { swaps } = size;
  const blocks = Math.ceil(swaps / SWAPS_PER_SLOT);
  const slots = blocks * stride;
  const firstTime = Math.floor(systemClock.now() / 1_000) - Math.ceil(slots / SLOTS_PER_S);
  const time = (slot: string) => `toDateTime(${firstTime} + intDiv(${slot} - ${FIRST_SLOT}, ${SLOTS_PER_S}), 'UTC')`;
  for (let from = 0; from < swaps; from += CHUNK_ROWS) {
    const rows = Math.min(CHUNK_ROWS, swaps - from);
    await insert(client, `swaps ${packed('swaps', swapsSelect({ from, rows, size, stride }, time('slot')))}`);
    const chunk = `(SELECT ${columnList(SWAPS)} FROM swaps WHERE slot >= ${FIRST_SLOT + Math.floor(from / SWAPS_PER_SLOT) * stride}
      AND ${swapPlace(stride)} BETWEEN ${from} AND ${from + rows - 1})`;
    for (const { source, name, ...derived } of DERIVED_TABLES) {
      if (source === 'swaps') await insert(client, `${name} ${inserted(derived).replace('$rows', chunk)}`);
    }
  }
  for (let slice = 0; slice < POSITION_SLICES; slice += 1) {
    await insert(client, `positions ${packed('positions', positionsSelect(slice))}`);
  }
  for (const { source, name, ...derived } of DERIVED_TABLES) {
    if (source === 'positions') await insert(client, `${name} ${inserted(derived).replace('$rows', 'positions')}`);
  }
  for (const { table, select } of factSelects(size, time('slot'))) await insertFacts(client, table, select);
  await insert(
    client,
    `blocks SELECT ${FIRST_SLOT} + number * ${stride} AS slot, toString(slot), slot - ${stride}, ${time('slot')}, 700, 200, 300, ${SWAPS_PER_SLOT}, 0, 1, 1, 1
     FROM numbers(${blocks})`,
  );
  for (const { source, name, ...derived } of DERIVED_TABLES) {
    if (source === 'blocks') await insert(client, `${name} ${inserted(derived).replace('$rows', 'blocks')}`);
  }
  await insert(client, `coverage SELECT ${FIRST_SLOT}, ${FIRST_SLOT + slots - 1}`);
}

/** Rows of a fact table, and what is copied of them into others. */
async function insertFacts(client: StoreClient, table: FactTableName, select: string): Promise<void> {
  const layout = FACT_TABLES.find(({ name }) => name === table);
  if (layout === undefined) throw new Error(`no table ${table}`);
  const columns = columnList(layout);
  const rows = `SELECT ${columns} FROM (${select})`;
  await insert(client, PACKED_TABLES.has(table) ? `${table} ${packed(table, rows)}` : `${table} (${columns}) ${rows}`);
  for (const { source, name, ...derived } of DERIVED_TABLES) {
    if (source === table) await insert(client, `${name} ${inserted(derived).replace('$rows', table)}`);
  }
}

function packed(table: FactTableName, rows: string): string {
  return PACKED_TABLES.get(table)!.replace('$rows', `(${rows})`);
}

/** What follows a derived table's name in an INSERT. Here, and not asked of the store's room: older code is benched by this file too. */
function inserted({ select, columns }: { readonly select: string; readonly columns?: readonly string[] | undefined }) {
  return columns === undefined ? select : `(${columns.join(', ')}) ${select}`;
}

function insert(client: StoreClient, target: string): Promise<void> {
  return runStatement(
    client,
    `INSERT INTO ${target} SETTINGS max_block_size = ${PART_ROWS}, min_insert_block_size_rows = ${PART_ROWS},
       max_insert_block_size = ${PART_ROWS}, max_memory_usage = 2500000000`,
  );
}

function layoutVersion(): string {
  const hash = createHash('sha256');
  for (const { script } of readMigrations()) hash.update(script);
  hash.update(readFileSync(new URL('./grown-rows.ts', import.meta.url)));
  return hash.digest('hex').slice(0, 12);
}
