import { readJson } from '../client.ts';
import { cardInserts } from '../derived/card-rows.ts';
import { CARD, DERIVED_TABLES } from '../derived/derived-tables.ts';
import { FORGET_FILLED } from '../derived/fill.ts';
import { isTimeout } from '../read/question-faults.ts';
import { inChunks, ofWholeBlocks, SLOTS_AT_ONCE } from './orphan-slots.ts';
import { insertSelected, type OrphanTools } from './orphan-tools.ts';
import { deleteRows } from './writer-fence.ts';

/** Cards that a start makes anew before anything is written; with more of them all are filled in again beside the service. */
const MAX_CARDS = 2_000;
/** Mints that one statement names: the server bounds its text. */
const MINTS_AT_ONCE = 200;

/**
 * Takes what orphans told out of the cards. The greatest of a column cannot be taken out of it: the cards of the mints
 * that they tell of are made anew without them. Where that is too much for a start, all cards are forgotten.
 */
export async function makeCardsAnew(tools: OrphanTools, orphans: readonly number[]): Promise<void> {
  const mints = orphans.length > SLOTS_AT_ONCE ? undefined : await readTheirMints(tools, orphans);
  if (mints === undefined) return forgetCards(tools);
  try {
    for (const some of inChunks(mints, MINTS_AT_ONCE)) await makeAnew(tools, some, orphans);
  } catch (error) {
    if (!isTimeout(error)) throw error;
    await forgetCards(tools);
  }
}

/** In hexadecimal digits; undefined where they are too many. */
async function readTheirMints(
  { client }: OrphanTools,
  orphans: readonly number[],
): Promise<readonly string[] | undefined> {
  const sources = DERIVED_TABLES.filter(({ name }) => name === CARD).map(({ source }) => source);
  const each = sources.map((source) => `SELECT mint FROM ${source} WHERE ${ofWholeBlocks(source, orphans)}`);
  const query = `SELECT DISTINCT hex(mint) AS hex FROM (${each.join(' UNION ALL ')}) LIMIT ${MAX_CARDS + 1}`;
  const rows = await readJson<{ hex: string }>(client, query);
  return rows.length > MAX_CARDS ? undefined : rows.map(({ hex }) => hex);
}

async function makeAnew(tools: OrphanTools, some: readonly string[], orphans: readonly number[]): Promise<void> {
  const { client, slotIndex, untilHeld, fence } = tools;
  const mints = `mint IN (${some.map((hex) => `toFixedString(unhex('${hex}'), 32)`).join(', ')})`;
  await untilHeld();
  await deleteRows(client, CARD, `partial_slot = 0 AND ${mints}`, fence?.holder);
  for (const insert of cardInserts({ mints, without: orphans, coverage: slotIndex.coverage })) {
    await insertSelected(tools, insert);
  }
}

async function forgetCards({ client, untilHeld, fence }: OrphanTools): Promise<void> {
  for (const { table, where } of FORGET_FILLED) {
    await untilHeld();
    await deleteRows(client, table, where, fence?.holder);
  }
}
