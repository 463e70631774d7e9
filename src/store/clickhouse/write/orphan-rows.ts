import type { Address } from '../../../chain/address.ts';
import { readRows } from '../client.ts';
import { MOVE_TABLES } from '../read/movements.ts';
import { readWholeSince } from '../retention.ts';
import { STALE_POSITIONS } from '../schema/position-tables.ts';
import type { TableLayout } from '../schema/table-layout.ts';
import { StoreError } from '../store-error.ts';
import { makeCardsAnew } from './orphan-cards.ts';
import {
  findMovedByNothing,
  findUncovered,
  hasRows,
  inChunks,
  movedByNothing,
  ofWholeBlocks,
  SLOTS_AT_ONCE,
  STATE_TABLES,
  type StateTable,
  TABLES_WITH_SLOTS,
} from './orphan-slots.ts';
import { finishForgetting, makeSumsAnew, SUMMED_TABLES } from './orphan-sums.ts';
import type { OrphanTools } from './orphan-tools.ts';
import { encodeStale, marksOfAnySlot, readStale } from './stale-positions.ts';
import { deleteRows, insertFenced } from './writer-fence.ts';

/**
 * Rows of whole blocks that the coverage does not have: a flush was begun and never ended, by a process whose outbox
 * is not here. Their slots will come again, from the chain or out of an outbox, so they go before anything is written.
 */

const MINTS = { name: 'mints', columns: { mint: 'address' } } as const satisfies TableLayout;
/** Slots whose buckets are made anew by one statement, which has to end as soon as any insert. */
const SUMMED_SLOTS_AT_ONCE = 250;
/** Far more than outboxes hold: so many rows without coverage mean that the coverage is what was lost. */
const MAX_ORPHAN_SLOTS = 50_000;

/**
 * Takes out every row of a whole block that the coverage does not have, in every table, so that writing its slot is as
 * if nothing had been there. Doing it again, also after a crash half-way, changes nothing: the facts, which tell
 * what is to be done, go last. Resolves with the slots. Throws `server_unusable` when there are far more than a
 * writer can have left: then nothing is touched.
 */
export async function removeOrphanRows(tools: OrphanTools): Promise<readonly number[]> {
  const { client, slotIndex, isAfterLoss = false, log } = tools;
  await finishForgetting(tools);
  const { coverage, partialSlots } = slotIndex;
  const slots = await findUncovered(client, coverage, TABLES_WITH_SLOTS);
  if (slots.length > MAX_ORPHAN_SLOTS) {
    throw new StoreError(
      'server_unusable',
      `the store has rows of ${slots.length} slots that its table coverage does not have: that table was lost or restored alone; put it back, or delete the database`,
    );
  }
  const ofStates = await findUncovered(client, coverage, STATE_TABLES);
  const moved = ofStates.filter((slot) => !partialSlots.has(slot));
  const movedInParts = isAfterLoss ? await findMovedByNothing(client, [...partialSlots]) : [];
  if (slots.length > 0) {
    const range = { first: slots[0], last: slots.at(-1) };
    log.warn({ slots: slots.length, ...range }, 'taking out the rows of flushes that never ended');
  }
  const marking = [...slots, ...moved, ...movedInParts];
  for (const some of inChunks(marking, SLOTS_AT_ONCE)) await markTheirMints(tools, some);
  for (const table of STATE_TABLES) {
    for (const some of inChunks(moved, SLOTS_AT_ONCE)) await removeStates(tools, table, `slot IN (${some.join(', ')})`);
    for (const some of inChunks(movedInParts, SLOTS_AT_ONCE)) {
      await removeStates(tools, table, movedByNothing(table, some));
    }
  }
  if (slots.length > 0) await makeCardsAnew(tools, slots);
  const forgotten = new Set<string>();
  for (const some of inChunks(slots, SUMMED_SLOTS_AT_ONCE)) {
    for (const name of Object.keys(SUMMED_TABLES)) await makeSumsAnew(tools, name, some, forgotten);
    for (const table of TABLES_WITH_SLOTS) {
      if (await hasRows(client, table, some)) await remove(tools, table, ofWholeBlocks(table, some));
    }
  }
  return slots;
}

async function remove({ client, untilHeld, fence }: OrphanTools, table: string, where: string): Promise<void> {
  await untilHeld();
  await deleteRows(client, table, where, fence?.holder);
}

/** Their wallets may have been folded with the facts, wholly or not at all: they are folded again from what is there. */
async function markTheirMints({ client, untilHeld, fence }: OrphanTools, slots: readonly number[]): Promise<void> {
  const rows = await readRows(
    client,
    MINTS,
    `SELECT DISTINCT mint FROM (
       SELECT mint FROM swaps WHERE ${ofWholeBlocks('swaps', slots)}
       ${STATE_TABLES.map((table) => `UNION ALL SELECT mint FROM ${table} WHERE slot IN (${slots.join(', ')})`).join(' ')}
     )`,
  );
  if (rows.length === 0) return;
  const { newestMark } = await readStale(client);
  const mints = rows.map(({ mint }) => mint as Address);
  const { bytes } = encodeStale(marksOfAnySlot(mints, maxOf(slots), newestMark), false);
  const columns = Object.keys(STALE_POSITIONS.columns);
  await untilHeld();
  const table = STALE_POSITIONS.name;
  await insertFenced(client, { table, layout: STALE_POSITIONS, columns, bytes, token: undefined }, fence);
}

/** But for those whose first swaps, or movements, were let go: nothing could fold them again. */
async function removeStates(tools: OrphanTools, table: StateTable, where: string): Promise<void> {
  const wholeSince = await readWholeSince(tools.client);
  const sources = table === 'positions' ? ['swaps'] : ['swaps', ...MOVE_TABLES];
  const since = Math.max(...sources.map((source) => wholeSince.get(source) ?? 0));
  await remove(tools, table, `${where} AND first_time >= toDateTime(${since}, 'UTC')`);
}

function maxOf(slots: readonly number[]): number {
  return slots.reduce((most, slot) => Math.max(most, slot));
}
