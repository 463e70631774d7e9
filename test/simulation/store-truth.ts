import type { PositionState } from '../../src/facts/average-cost.ts';
import type { BlockFacts } from '../../src/facts/fact.ts';
import { movementsOf } from '../../src/facts/movements.ts';
import { foldWallets, type WalletState } from '../../src/facts/wallet-fold.ts';
import type { RpcEncoding } from '../../src/simulator/encode-rpc.ts';
import type { SimulatedBlock } from '../../src/simulator/simulator.ts';
import { columnList, readRows, type StoreClient } from '../../src/store/clickhouse/client.ts';
import { toRowBatch } from '../../src/store/clickhouse/schema/fact-rows.ts';
import { toHoldingRow } from '../../src/store/clickhouse/schema/holding-rows.ts';
import { toPositionRow } from '../../src/store/clickhouse/schema/position-rows.ts';
import type { RowBatch } from '../../src/store/clickhouse/schema/row-batch.ts';
import { decodeRows } from '../../src/store/clickhouse/schema/row-codec.ts';
import type { TableLayout } from '../../src/store/clickhouse/schema/table-layout.ts';
import { FACT_TABLES, type FactTableName, HOLDINGS, POSITIONS } from '../../src/store/clickhouse/schema/tables.ts';
import { foldPositions } from '../support/fold-positions.ts';

/** Tables whose rows are not those of a block: what is known of them is compared by other means. */
const NOT_OF_BLOCKS: ReadonlySet<string> = new Set(['holdings', 'positions', 'stale_positions']);
const BLOCK_TABLES = FACT_TABLES.filter(({ name }) => !NOT_OF_BLOCKS.has(name));

/**
 * A block as its readers may see it: a server that drops fields of a message that it does not know makes another fact
 * of the same transaction.
 */
export interface BlockView {
  readonly slot: number;
  /** Any of these is true, and there is one at least; they are alike but for what some wire hides. */
  readonly views: readonly [BlockFacts, ...BlockFacts[]];
}

/** Blocks of the chain that servers gave. */
export interface Served {
  /** Slots whose block came on a stream. */
  readonly sentSlots: ReadonlySet<number>;
  /** Slots whose block was given by RPC, with every encoding it was given in. */
  readonly given: ReadonlyMap<number, ReadonlySet<RpcEncoding>>;
}

export function viewsOf({ slot, truth }: SimulatedBlock, { sentSlots, given }: Served): BlockView {
  const encodings = given.get(slot);
  if (encodings?.has('base64') !== true) return { slot, views: [truth.facts('decoded')] };
  const wire = truth.facts('wire');
  return { slot, views: sentSlots.has(slot) || encodings.size > 1 ? [truth.facts('decoded'), wire] : [wire] };
}

/** The first difference between the store's facts and the truth, table by table; undefined when there is none. */
export async function storeDifference(client: StoreClient, truth: readonly BlockView[]): Promise<string | undefined> {
  const stored = new Map<string, ReadonlyMap<number, string[]>>();
  for (const layout of BLOCK_TABLES) {
    const rows = await readRows(client, layout as TableLayout, `SELECT ${columnList(layout)} FROM ${layout.name}`);
    stored.set(layout.name, bySlot(rows));
  }
  const slots = new Set(truth.map(({ slot }) => slot));
  for (const [table, rows] of stored) {
    for (const slot of rows.keys())
      if (!slots.has(slot)) return `${table} has rows of slot ${slot}, which has no block`;
  }
  for (const { slot, views } of truth) {
    const differences = views.map((facts) => blockDifference(toRowBatch(facts, []), slot, stored));
    if (!differences.includes(undefined)) return differences[0];
  }
  return undefined;
}

/** The same for one batch of the feed. */
export function batchDifference(batch: RowBatch, { slot, views }: BlockView): string | undefined {
  const carried = new Map<string, ReadonlyMap<number, string[]>>();
  for (const layout of BLOCK_TABLES) carried.set(layout.name, bySlot(rowsOf(batch, layout)));
  const differences = views.map((facts) => blockDifference(toRowBatch(facts, []), slot, carried));
  return differences.includes(undefined) ? undefined : differences[0];
}

/** The first difference between the store's positions and one fold over all swaps of the truth. */
export async function positionDifference(
  client: StoreClient,
  truth: readonly BlockFacts[],
): Promise<string | undefined> {
  const positions = new Map<string, PositionState>();
  for (const { swaps } of truth) foldPositions(positions, swaps);
  const stored = await readRows(client, POSITIONS, `SELECT ${columnList(POSITIONS)} FROM positions FINAL`);
  const difference = rowsDifference(stored, [...positions.values()].map(toPositionRow));
  return difference === undefined ? undefined : `positions: ${difference}`;
}

/** The first difference between the store's holdings and one fold over all swaps and movements of the truth. */
export async function holdingDifference(
  client: StoreClient,
  truth: readonly BlockFacts[],
): Promise<string | undefined> {
  const swaps = truth.flatMap((facts) => facts.swaps);
  const traded = new Set(swaps.map(({ mint }) => mint));
  const movements = truth.flatMap(movementsOf).filter(({ mint }) => traded.has(mint));
  const wallets = new Map<string, WalletState>();
  foldWallets(wallets, swaps, movements);
  const folded = Array.from(wallets.values(), ({ holding }) => holding).filter((holding) => holding !== undefined);
  const stored = await readRows(client, HOLDINGS, `SELECT ${columnList(HOLDINGS)} FROM holdings FINAL`);
  const difference = rowsDifference(stored, folded.map(toHoldingRow));
  return difference === undefined ? undefined : `holdings: ${difference}`;
}

function blockDifference(
  expected: RowBatch,
  slot: number,
  found: ReadonlyMap<string, ReadonlyMap<number, string[]>>,
): string | undefined {
  for (const layout of BLOCK_TABLES) {
    const rows = found.get(layout.name)?.get(slot) ?? [];
    const difference = firstDifference([...rows].sort(), sorted(rowsOf(expected, layout)));
    if (difference !== undefined) return `slot ${slot}, ${layout.name}: ${difference}`;
  }
  return undefined;
}

function rowsOf(batch: RowBatch, layout: TableLayout): readonly object[] {
  const encoded = batch.tables.get(layout.name as FactTableName);
  return encoded === undefined ? [] : decodeRows(layout, encoded.bytes);
}

function bySlot(rows: readonly object[]): Map<number, string[]> {
  const found = new Map<number, string[]>();
  for (const row of rows) {
    const { slot } = row as { readonly slot: number };
    const list = found.get(slot) ?? [];
    list.push(show(row));
    found.set(slot, list);
  }
  return found;
}

/** The first difference between rows of any order, all columns whole; undefined when there is none. */
export function rowsDifference(found: readonly object[], expected: readonly object[]): string | undefined {
  return firstDifference(sorted(found), sorted(expected));
}

/** Both sorted. A row that one has more often than the other is a difference. */
function firstDifference(found: readonly string[], expected: readonly string[]): string | undefined {
  for (let place = 0; place < Math.max(found.length, expected.length); place += 1) {
    if (found[place] === expected[place]) continue;
    return `${found.length} rows, ${expected.length} are true\n    stored ${found[place] ?? 'nothing'}\n    truth  ${expected[place] ?? 'nothing'}`;
  }
  return undefined;
}

function sorted(rows: readonly object[]): string[] {
  return rows.map(show).sort();
}

function show(row: object): string {
  return JSON.stringify(row, (_, value: unknown) => {
    if (typeof value === 'bigint') return value.toString();
    return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
  });
}
