import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/kernel/clock.ts';
import { createLogger } from '../../src/kernel/log.ts';
import { columnList, createStoreClient, runStatement, type StoreClient } from '../../src/store/clickhouse/client.ts';
import { DERIVED_TABLES } from '../../src/store/clickhouse/derived-tables.ts';
import { readMigrations } from '../../src/store/clickhouse/migrations.ts';
import { PACKED_TABLES } from '../../src/store/clickhouse/packed-tables.ts';
import { openStore } from '../../src/store/clickhouse/store.ts';
import { SWAPS } from '../../src/store/clickhouse/tables.ts';

/**
 * A data folder with many swaps, their copies, rollups and positions, made by
 * the server itself: minutes instead of the hour that ingest would take. It is
 * kept for later runs, and made anew when the tables have changed. Positions are
 * sums, not the fold in order: for questions, not for `verify`.
 */
export async function provideGrownStore(swaps: number): Promise<string> {
  const dir = join(tmpdir(), `${PREFIX}${swaps}-${layoutVersion()}`);
  if (existsSync(join(dir, WHOLE))) return dir;
  for (const name of readdirSync(tmpdir())) {
    if (name.startsWith(`${PREFIX}${swaps}-`)) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
  const { bavail, bsize } = statfsSync(tmpdir());
  if (bavail * bsize < swaps * DISK_PER_SWAP) throw new Error(`${swaps} swaps need more disk than ${tmpdir()} has`);
  console.error(`making a store of ${swaps} swaps, once: this takes some minutes`);
  const store = await openStore({ url: undefined, dataDir: dir, log: createLogger('error'), clock: systemClock });
  const client = createStoreClient(store.connection, { requestTimeoutMs: STATEMENT_TIMEOUT_MS });
  try {
    await grow(client, swaps);
  } finally {
    await client.close();
    await store.close();
  }
  writeFileSync(join(dir, WHOLE), '');
  return dir;
}

const PREFIX = 'mintscope-bench-recovery-';
/** There when the store is whole. */
const WHOLE = 'grown';
/** Merges need room beside what they merge. */
const DISK_PER_SWAP = 600;
const STATEMENT_TIMEOUT_MS = 900_000;
const FIRST_SLOT = 600_000_000;
const SWAPS_PER_SLOT = 115;
const SLOTS_PER_S = 5;
const SWAPS_PER_MINT = 500;
const SWAPS_PER_TRADER = 67;
/** Rows made at once, and rows of one part. */
const CHUNK_ROWS = 2_000_000;
const PART_ROWS = 250_000;
const POSITION_SLICES = 8;

async function grow(client: StoreClient, swaps: number): Promise<void> {
  const slots = Math.ceil(swaps / SWAPS_PER_SLOT);
  const firstTime = Math.floor(systemClock.now() / 1_000) - Math.ceil(slots / SLOTS_PER_S);
  const time = (slot: string) => `toDateTime(${firstTime} + intDiv(${slot} - ${FIRST_SLOT}, ${SLOTS_PER_S}), 'UTC')`;
  for (let from = 0; from < swaps; from += CHUNK_ROWS) {
    const rows = Math.min(CHUNK_ROWS, swaps - from);
    await insert(client, `swaps ${packed('swaps', swapsSelect(from, rows, swaps, time('slot')))}`);
    const chunk = `(SELECT ${columnList(SWAPS)} FROM swaps WHERE slot >= ${FIRST_SLOT + Math.floor(from / SWAPS_PER_SLOT)}
      AND (slot - ${FIRST_SLOT}) * ${SWAPS_PER_SLOT} + intDiv(block_index, 4) BETWEEN ${from} AND ${from + rows - 1})`;
    for (const { source, name, select } of DERIVED_TABLES) {
      if (source === 'swaps') await insert(client, `${name} ${select.replace('$rows', chunk)}`);
    }
  }
  for (let slice = 0; slice < POSITION_SLICES; slice += 1) {
    await insert(client, `positions ${packed('positions', positionsSelect(slice))}`);
  }
  await insert(client, 'positions_by_trader SELECT trader, mint, quote_mint FROM positions');
  await insert(
    client,
    `blocks SELECT ${FIRST_SLOT} + number AS slot, toString(slot), slot - 1, ${time('slot')}, 700, 200, 300, ${SWAPS_PER_SLOT}, 0, 1, 1, 1
     FROM numbers(${slots})`,
  );
  for (const { source, name, select } of DERIVED_TABLES) {
    if (source === 'blocks') await insert(client, `${name} ${select.replace('$rows', 'blocks')}`);
  }
  await insert(client, `coverage SELECT ${FIRST_SLOT}, ${FIRST_SLOT + slots - 1}`);
}

/** Mints and wallets by Zipf's law, prices around that of a new curve. */
function swapsSelect(from: number, rows: number, swaps: number, time: string): string {
  const unit = (salt: number) => `(cityHash64(number, ${salt}) / 18446744073709551616.)`;
  const rank = (salt: number, size: number, exponent: number) =>
    `toUInt64(${size} * pow(${unit(salt)}, ${1 / (1 - exponent)}))`;
  const key = (number: string, salt: number) =>
    `toFixedString(unhex(concat(${[1, 2, 3, 4].map((n) => `hex(cityHash64(${number}, ${salt + n}))`).join(', ')}, repeat('0', 64))), 64)`;
  const address = (number: string, salt: number) => `toFixedString(substring(${key(number, salt)}, 1, 32), 32)`;
  const mints = Math.ceil(swaps / SWAPS_PER_MINT);
  const traders = Math.ceil(swaps / SWAPS_PER_TRADER);
  const none = "toFixedString('', 32)";
  const columns: Record<string, string> = {
    mint: address(rank(1, mints, 0.72), 100),
    slot: `toUInt32(${FIRST_SLOT} + intDiv(number, ${SWAPS_PER_SLOT}))`,
    block_index: `toUInt32(number % ${SWAPS_PER_SLOT} * 4)`,
    ix_index: 'toUInt16(3)',
    time,
    signature: 'randomFixedString(64)',
    partial: 'false',
    venue: 'toUInt8(0)',
    pool: none,
    trader: address(rank(2, traders, 0.8), 200),
    is_buy: `${unit(3)} < 0.55`,
    quote_mint: none,
    quote_decimals: 'toUInt8(9)',
    token_decimals: 'toUInt8(6)',
    quote_amount: `toUInt64(100000 + 1000000000 * pow(${unit(4)}, 4))`,
    token_amount: `toUInt64(quote_amount * (20000 + 10000 * ${unit(5)}))`,
    price_quote: 'quote_amount',
    price_token: 'token_amount',
    price: 'quote_amount / token_amount',
    fee: 'intDiv(quote_amount * 95 + 9999, 10000)',
    creator_fee: 'intDiv(quote_amount * 30 + 9999, 10000)',
    lp_fee: 'toUInt64(0)',
    fee_in_token: 'false',
    fee_creator: none,
    virtual_quote_reserves: `toUInt64(30000000000 + 50000000000 * ${unit(6)})`,
    virtual_token_reserves: 'intDiv(toUInt128(32190000000000000000000000), virtual_quote_reserves)::UInt64',
    real_quote_reserves: 'virtual_quote_reserves - 30000000000',
    real_token_reserves: 'virtual_token_reserves - 279900000000000',
    reserves_known: 'true',
    priced: 'true',
    protocol_actor: 'false',
    bundled: 'toUInt8(0)',
    fee_payer: 'trader',
    router: none,
    tip: 'toUInt64(0)',
    tip_wallet: none,
    cu_price: 'toUInt64(100000)',
    cu_limit: 'toUInt32(200000)',
    priority_fee: 'toUInt64(20000)',
    budget_source: 'toUInt8(0)',
    network_fee: 'toUInt64(25000)',
  };
  const list = Object.entries(columns).map(([name, expression]) => `${expression} AS ${name}`);
  return `SELECT ${list.join(', ')} FROM numbers(${from}, ${rows})`;
}

function positionsSelect(slice: number): string {
  return `SELECT mint, quote_mint, trader, max(s.slot) AS slot, toUInt32(0) AS block_index, toUInt16(3) AS ix_index,
      toInt64(tokens_bought) - toInt64(tokens_sold) AS token_balance,
      sumIf(token_amount, is_buy) AS tokens_bought, sumIf(token_amount, NOT is_buy) AS tokens_sold,
      sumIf(quote_amount, is_buy) AS quote_invested, sumIf(quote_amount, NOT is_buy) AS quote_received,
      toUInt64(0) AS basis, toUInt64(0) AS basis_tokens, toInt64(quote_received) - toInt64(quote_invested) AS realized_pnl,
      true AS pnl_known, toUInt32(countIf(is_buy)) AS buys, toUInt32(countIf(NOT is_buy)) AS sells,
      min(s.time) AS first_time, min(s.slot) AS first_slot, max(s.time) AS last_time
    FROM swaps AS s WHERE cityHash64(mint) % ${POSITION_SLICES} = ${slice} GROUP BY mint, quote_mint, trader`;
}

function packed(table: 'swaps' | 'positions', rows: string): string {
  return PACKED_TABLES.get(table)!.replace('$rows', `(${rows})`);
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
  return hash.digest('hex').slice(0, 12);
}
