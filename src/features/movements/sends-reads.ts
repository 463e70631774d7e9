import { Type } from 'typebox';
import type { Address } from '../../chain/address.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import type { RowOf } from '../../store/clickhouse/schema/table-layout.ts';
import { TRANSFERS } from '../../store/clickhouse/schema/tables.ts';
import { columnsOf } from '../../store/columns.ts';
import { defineRowQuery } from '../../store/query.ts';

const SENDS = columnsOf(
  TRANSFERS,
  ...(['slot', 'block_index', 'ix_index', 'time', 'signature', 'partial'] as const),
  ...(['sender', 'receiver', 'amount', 'decimals', 'ambiguous', 'hidden'] as const),
);

export type WindowSendRow = RowOf<typeof SENDS>;

/** Both windows of 5,000 sends, and one more of each, which tells that there are more. */
const MAX_WINDOW_ROWS = 10_002;

const windowParams = Type.Object({
  mint: Type.String(),
  mark: Type.Integer(),
  since: Type.Integer(),
  limit: Type.Integer(),
});

const window = defineRowQuery({
  maxRows: MAX_WINDOW_ROWS,
  sql: new URL('./sends-window.sql', import.meta.url),
  params: windowParams,
  layout: SENDS,
});

const buyers = defineRowQuery({
  maxRows: MAX_WINDOW_ROWS,
  sql: new URL('./sends-buyers.sql', import.meta.url),
  params: windowParams,
  layout: { name: 'sends_buyers', columns: { wallet: 'account', first_slot: 'u32' } },
});

const customers = defineRowQuery({
  maxRows: MAX_WINDOW_ROWS,
  sql: new URL('./sends-customers.sql', import.meta.url),
  params: windowParams,
  layout: { name: 'sends_customers', columns: { wallet: 'account', traded: 'i128' } },
});

const traders = defineRowQuery({
  sql: new URL('./sends-traders.sql', import.meta.url),
  params: Type.Object({ mint: Type.String(), wallets: Type.Array(Type.String()), limit: Type.Integer() }),
  layout: { name: 'sends_traders', columns: { wallet: 'account' } },
});

/** Choice of sends of a mint since Unix second `since`: the newest `limit` inside trades, and as many of the others. */
export interface SendsWindow {
  readonly mint: Address;
  readonly mark: number;
  readonly since: number;
  readonly limit: number;
}

/** Newest first. */
export function readWindowSends(client: StoreClient, asked: SendsWindow): Promise<WindowSendRow[]> {
  return window(client, { ...asked });
}

/** The slot of the first trade of each receiver of those sends that ever bought the mint. */
export async function readWindowBuyers(
  client: StoreClient,
  asked: SendsWindow,
): Promise<ReadonlyMap<Address | '', number>> {
  const rows = await buyers(client, { ...asked });
  return new Map(rows.map(({ wallet, first_slot }) => [wallet, first_slot]));
}

/** Raw units that senders of those sends that trades hide bought and sold of the mint together, up to now. */
export async function readWindowCustomers(
  client: StoreClient,
  asked: SendsWindow,
): Promise<ReadonlyMap<Address | '', bigint>> {
  const rows = await customers(client, { ...asked });
  return new Map(rows.map(({ wallet, traded }) => [wallet, traded]));
}

/** Wallets among these that ever traded another token. */
export async function readTradersElsewhere(
  client: StoreClient,
  mint: Address,
  wallets: readonly Address[],
): Promise<ReadonlySet<Address | ''>> {
  if (wallets.length === 0) return new Set();
  const rows = await traders(client, { mint, wallets: [...wallets], limit: wallets.length });
  return new Set(rows.map(({ wallet }) => wallet));
}
