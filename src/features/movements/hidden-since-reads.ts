import { Type } from 'typebox';
import { createRefreshed } from '../../books/refreshed.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { defineQuery } from '../../store/query.ts';

/** What a store has been told before stays so. */
const FRESH_MS = 3_600_000;

const hiddenSince = defineQuery({
  sql: new URL('./hidden-since.sql', import.meta.url),
  params: Type.Object({}),
  row: Type.Object({ since: Type.Integer() }),
});

/**
 * Tells since which Unix second a store's facts name sends inside trades; 0 where they always did. Older blocks that
 * were read since are not told apart, and count as older.
 */
export function createHiddenSince(client: StoreClient, clock: Clock): () => Promise<number> {
  const since = createRefreshed<number>({ clock, capacity: 1, freshMs: FRESH_MS, reuseMs: FRESH_MS });
  return async () => (await since.get('', async () => (await hiddenSince(client, {}))[0]?.since ?? 0)).value;
}
