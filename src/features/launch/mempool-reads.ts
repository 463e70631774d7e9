import { Type } from 'typebox';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { MEMPOOL_BUYERS, type MempoolBuyerRow } from '../../store/clickhouse/schema/background-tables.ts';
import type { RowOf } from '../../store/clickhouse/schema/table-layout.ts';
import { defineRowQuery } from '../../store/query.ts';

const params = Type.Object({ since: Type.Integer(), mark: Type.Integer(), limit: Type.Integer() });

const WALLETS = {
  name: 'mempool_wallets',
  columns: {
    wallet: 'account',
    tokens: 'u32',
    attempts: 'u32',
    max_slots_before: 'u32',
    /** Tokens that the wallet then managed to buy. */
    landed_tokens: 'u32',
    last_time: 'time',
  },
} as const;

const events = defineRowQuery({
  sql: new URL('./mempool-buyers.sql', import.meta.url),
  params,
  layout: MEMPOOL_BUYERS,
});
const wallets = defineRowQuery({ sql: new URL('./mempool-wallets.sql', import.meta.url), params, layout: WALLETS });

const swept = defineRowQuery({
  sql: new URL('./mempool-swept.sql', import.meta.url),
  params: Type.Object({}),
  layout: { name: 'mempool_swept', columns: { slot: 'u32' } },
});

export interface MempoolBuyers {
  /** One for each wallet and token, newest first. */
  readonly events: readonly MempoolBuyerRow[];
  readonly wallets: readonly RowOf<typeof WALLETS>[];
}

/** Attempts in slots before their token's creation, and their wallets, since Unix second `since`; `limit` rows of each. */
export async function readMempoolBuyers(
  client: StoreClient,
  since: number,
  mark: number,
  limit: number,
): Promise<MempoolBuyers> {
  const question = { since, mark, limit };
  const [rows, perWallet] = await Promise.all([events(client, question), wallets(client, question)]);
  return { events: rows, wallets: perWallet };
}

/** Newest slot whose attempts were gone through: a sweep follows what is stored, some time behind. */
export async function readMempoolMark(client: StoreClient): Promise<number> {
  const [row] = await swept(client, {});
  return row?.slot ?? 0;
}
