import { readJson, type StoreClient } from '../client.ts';
import { deleteRows, type LeaseHolder } from './writer-fence.ts';

/**
 * Rows of single transactions whose block we do not have. When the whole block
 * comes, it replaces them: they are deleted, and what rollups made of them
 * with them, since rollups keep the parts of partial slots apart.
 *
 * Deleting and sending again do not contradict each other here: behind a flush of
 * such rows that is sent again comes the one that replaces them, and deletes them again.
 */
export const FACTS_WITH_PARTIAL_ROWS = [
  'token_creations',
  'curve_completions',
  'token_graduations',
  'creator_changes',
  'pools',
  'liquidity',
  'fee_payouts',
  'swaps',
  'attempts',
  'transfers',
  'burns',
  'unexplained_deltas',
  'fundings',
  'swaps_by_trader',
  'transfers_by_wallet',
  'fundings_by_funder',
  'tokens_by_creation',
  'tokens_by_creator',
  'tokens_by_name',
] as const;

const ROLLUPS_OF_PARTIAL_ROWS = [
  'candles',
  'mint_minutes',
  'venue_minutes',
  'fee_minutes',
  'tipper_hours',
  'slot_economics',
  'mint_hours',
  'trader_registers',
  'router_minutes',
  'router_reverts',
  'router_traders',
  'token_latest',
  'market_latest',
  'token_card',
] as const;

/** Deletes all partial rows of the slots. Doing it again changes nothing. */
export async function deletePartialRows(
  client: StoreClient,
  slots: readonly number[],
  holder: LeaseHolder | undefined,
): Promise<void> {
  const list = slots.join(', ');
  const conditions = new Map<string, string>([
    ...FACTS_WITH_PARTIAL_ROWS.map((table) => [table, `partial AND slot IN (${list})`] as const),
    ...ROLLUPS_OF_PARTIAL_ROWS.map((table) => [table, `partial_slot IN (${list})`] as const),
  ]);
  // A delete waits for a background job even where there is nothing to delete; most tables have nothing.
  const counts = [...conditions].map(
    ([table, where]) => `SELECT '${table}' AS name, count() AS n FROM ${table} WHERE ${where}`,
  );
  const touched = await readJson<{ name: string }>(
    client,
    `SELECT name FROM (${counts.join(' UNION ALL ')}) WHERE n > 0`,
  );
  await Promise.all(touched.map(({ name }) => deleteRows(client, name, conditions.get(name)!, holder)));
}
