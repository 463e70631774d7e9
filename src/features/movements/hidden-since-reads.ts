import { createRefreshed } from '../../books/refreshed.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { readMigratedSince } from '../../store/clickhouse/migrated-since.ts';

/** What a store has been told before stays so. */
const FRESH_MS = 3_600_000;
/** Facts of before tell none, or not those of coins that swaps were quoted in and of platforms' shares. */
const ALL_TOLD = '0041_fact_all_hidden_moves';

/**
 * Tells since which Unix second a store's facts name all sends inside trades; 0 where they always did. Older blocks that
 * were read since are not told apart, and count as older.
 */
export function createHiddenSince(client: StoreClient, clock: Clock): () => Promise<number> {
  const since = createRefreshed<number>({ clock, capacity: 1, freshMs: FRESH_MS, reuseMs: FRESH_MS });
  return async () => (await since.get('', () => readMigratedSince(client, ALL_TOLD))).value;
}
