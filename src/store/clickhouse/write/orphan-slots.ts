import { readRows, type StoreClient } from '../client.ts';
import { type Coverage, findRange, missingRanges, type SlotRange } from '../coverage.ts';
import type { TableLayout } from '../schema/table-layout.ts';
import { FACTS_WITH_PARTIAL_ROWS } from './partial-rows.ts';

/** Slots with rows of whole blocks that the coverage does not have, and slots with states of wallets without what moved them. */

/** Tables with a row for each fact and its slot; those of the first list have rows of single transactions too. */
export const TABLES_WITH_SLOTS: readonly string[] = [...FACTS_WITH_PARTIAL_ROWS, 'blocks', 'slot_tips'];

/** Slots that one statement names: the server bounds its text. */
export const SLOTS_AT_ONCE = 1_000;
const RUNS_AT_ONCE = 100;
/** Gaps no further apart are read as one run: what is covered between them costs less than a condition more. */
const NEAR_SLOTS = 1_000;
const GAPS_IN_RUN = 1_000;
const MAX_SLOT = 2 ** 32 - 1;
const SLOTS = { name: 'slots', columns: { slot: 'u32' } } as const satisfies TableLayout;

/**
 * Slots of whole blocks in tables that no range of the coverage has, ascending. Parts know their slots, so what lies
 * before and behind the coverage costs nothing; a hole in it costs the slots of its parts. They cannot be left out by
 * tokens as fills do: a flush writes its facts before the rollup that says when these were traded.
 */
export async function findUncovered(
  client: StoreClient,
  coverage: Coverage,
  tables: readonly string[],
): Promise<readonly number[]> {
  const found = new Set<number>();
  for (const runs of inChunks(uncoveredRuns(coverage), RUNS_AT_ONCE)) {
    const within = runs.map(({ first, last }) => `slot BETWEEN ${first} AND ${last}`).join(' OR ');
    const each = tables.map((table) => {
      const whole = isPartialTable(table) ? 'AND NOT partial' : '';
      return `SELECT DISTINCT slot FROM ${table} WHERE (${within}) ${whole}`;
    });
    const rows = await readRows(client, SLOTS, `SELECT DISTINCT slot FROM (${each.join(' UNION ALL ')})`);
    for (const { slot } of rows) if (findRange(coverage, slot) === undefined) found.add(slot);
  }
  return [...found].sort((a, b) => a - b);
}

/** Tables whose rows are states of wallets, each at the place of what moved it last. */
export const STATE_TABLES = ['positions', 'holdings'] as const;
export type StateTable = (typeof STATE_TABLES)[number];

/**
 * A position stands at the place of the swap that moved it last, a holding at the last place of the transaction that
 * did. Of these slots, which have rows of single transactions, a condition for those that stand where nothing is.
 */
export function movedByNothing(table: StateTable, slots: readonly number[]): string {
  const list = slots.join(', ');
  if (table === 'holdings') {
    const movers = ['swaps', 'liquidity', 'pools', 'transfers', 'burns', 'unexplained_deltas'];
    const each = movers.map((from) => `SELECT mint, slot, block_index FROM ${from} WHERE slot IN (${list})`);
    return `slot IN (${list}) AND (mint, slot, block_index) NOT IN (${each.join(' UNION ALL ')})`;
  }
  return `slot IN (${list}) AND (mint, trader, version) NOT IN (
    SELECT mint, trader, bitShiftLeft(toUInt64(slot), 32) + bitShiftLeft(toUInt64(block_index), 14) + ix_index
    FROM swaps WHERE slot IN (${list}))`;
}

/** Those of the slots of single transactions that have such states. */
export async function findMovedByNothing(client: StoreClient, slots: readonly number[]): Promise<readonly number[]> {
  const found = new Set<number>();
  for (const some of inChunks(slots, SLOTS_AT_ONCE)) {
    for (const table of STATE_TABLES) {
      const query = `SELECT DISTINCT slot FROM ${table} WHERE ${movedByNothing(table, some)}`;
      for (const { slot } of await readRows(client, SLOTS, query)) found.add(slot);
    }
  }
  return [...found].sort((a, b) => a - b);
}

export async function hasRows(client: StoreClient, table: string, slots: readonly number[]): Promise<boolean> {
  const query = `SELECT slot FROM ${table} WHERE ${ofWholeBlocks(table, slots)} LIMIT 1`;
  return (await readRows(client, SLOTS, query)).length > 0;
}

/** A condition for the rows of whole blocks of these slots. */
export function ofWholeBlocks(table: string, slots: readonly number[]): string {
  return `${isPartialTable(table) ? 'NOT partial AND' : ''} slot IN (${slots.join(', ')})`;
}

export function inChunks<T>(list: readonly T[], size: number): (readonly T[])[] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));
}

function isPartialTable(table: string): boolean {
  return (FACTS_WITH_PARTIAL_ROWS as readonly string[]).includes(table);
}

/** Ranges that have every slot that the coverage has not, and some that it has. */
function uncoveredRuns(coverage: Coverage): readonly SlotRange[] {
  const runs: SlotRange[] = [];
  let gaps = 0;
  for (const gap of missingRanges(coverage, { first: 1, last: MAX_SLOT })) {
    const run = runs.at(-1);
    if (run !== undefined && gap.first - run.last <= NEAR_SLOTS && gaps < GAPS_IN_RUN) {
      runs[runs.length - 1] = { first: run.first, last: gap.last };
      gaps += 1;
    } else {
      runs.push(gap);
      gaps = 1;
    }
  }
  return runs;
}
