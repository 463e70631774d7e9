import { Type } from 'typebox';
import type { Address } from '../../chain/address.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import type { RowOf } from '../../store/clickhouse/schema/table-layout.ts';
import { TRANSFERS } from '../../store/clickhouse/schema/tables.ts';
import { columnsOf } from '../../store/columns.ts';
import { defineRowQuery } from '../../store/query.ts';
import { notSettled, type SettledDeps, untilCommitted } from '../../token/settled.ts';

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
  layout: {
    name: 'sends_buyers',
    columns: { wallet: 'account', first_slot: 'u32', newest: 'u32', bought: 'u32', sold: 'u32' },
  },
});

const newerBuys = defineRowQuery({
  maxRows: MAX_WINDOW_ROWS,
  sql: new URL('./buys-newer.sql', import.meta.url),
  params: Type.Object({
    mint: Type.String(),
    mark: Type.Integer(),
    newest: Type.Integer(),
    wallets: Type.Array(Type.String()),
    rows: Type.Integer(),
  }),
  layout: { name: 'buys_newer', columns: { wallet: 'account', slot: 'u32', buys: 'u32' } },
});

const customers = defineRowQuery({
  maxRows: MAX_WINDOW_ROWS,
  sql: new URL('./sends-customers.sql', import.meta.url),
  params: windowParams,
  layout: { name: 'sends_customers', columns: { wallet: 'account', traded: 'i128', newest: 'u32' } },
});

const newerSwaps = defineRowQuery({
  maxRows: MAX_WINDOW_ROWS,
  sql: new URL('./swaps-newer.sql', import.meta.url),
  params: Type.Object({ ...windowParams.properties, newest: Type.Integer(), rows: Type.Integer() }),
  layout: { name: 'swaps_newer', columns: { wallet: 'account', slot: 'u32', traded: 'i128' } },
});

const traders = defineRowQuery({
  sql: new URL('./sends-traders.sql', import.meta.url),
  params: Type.Object({
    mint: Type.String(),
    mark: Type.Integer(),
    wallets: Type.Array(Type.String()),
    limit: Type.Integer(),
  }),
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

/** Wallets that sold before they ever bought, and traded behind the mark: more are told of a moment later. */
const MAX_UNSURE = 1_000;

/**
 * The slot of the first trade of each receiver of those sends that had bought the mint by the mark.
 *
 * @throws {ApiError} `storage_unavailable` as {@link readWindowCustomers} does.
 */
export async function readWindowBuyers(
  client: StoreClient,
  asked: SendsWindow,
  settled: SettledDeps,
): Promise<ReadonlyMap<Address | '', number>> {
  const { mint, mark } = asked;
  const rows = await buyers(client, { ...asked });
  const found = new Map(rows.map(({ wallet, first_slot }) => [wallet, first_slot]));
  // What it was handed it may have sold before, and bought only behind the mark.
  const unsure = rows.filter(({ newest, sold }) => newest > mark && sold > 0);
  if (unsure.length === 0) return found;
  const newest = Math.max(...unsure.map((row) => row.newest));
  if (unsure.length > MAX_UNSURE) throw notSettled();
  await untilCommitted(newest, settled);
  const wallets = unsure.map(({ wallet }) => wallet);
  const newer = await newerBuys(client, { mint, mark, newest, wallets, rows: MAX_WINDOW_ROWS });
  if (newer.length === MAX_WINDOW_ROWS) throw notSettled();
  for (const row of unsure) {
    const own = newer.filter(({ wallet, slot }) => wallet === row.wallet && slot <= row.newest);
    if (own.reduce((sum, { buys }) => sum + buys, 0) >= row.bought) found.delete(row.wallet);
  }
  return found;
}

/**
 * Raw units that senders of those sends that trades hide bought and sold of the mint together, up to the mark.
 *
 * @throws {ApiError} `storage_unavailable` when a flush behind the mark takes longer than a question can wait, or brings
 * more trades than are looked at.
 */
export async function readWindowCustomers(
  client: StoreClient,
  asked: SendsWindow,
  settled: SettledDeps,
): Promise<ReadonlyMap<Address | '', bigint>> {
  const { mark } = asked;
  const rows = await customers(client, { ...asked });
  const traded = new Map(rows.map(({ wallet, traded }) => [wallet, traded]));
  const ahead = new Map(rows.flatMap(({ wallet, newest }) => (newest > mark ? [[wallet, newest] as const] : [])));
  if (ahead.size === 0) return traded;
  // Positions are kept as they stand alone: what came behind the mark is taken off.
  const newest = Math.max(...ahead.values());
  await untilCommitted(newest, settled);
  const newer = await newerSwaps(client, { ...asked, newest, rows: MAX_WINDOW_ROWS });
  // A flood of trades behind the mark: a moment later they are up to it.
  if (newer.length === MAX_WINDOW_ROWS) throw notSettled();
  for (const { wallet, slot, traded: amount } of newer) {
    if (slot <= (ahead.get(wallet) ?? 0)) traded.set(wallet, (traded.get(wallet) ?? 0n) - amount);
  }
  return traded;
}

/** Wallets among these that traded another token up to the mark. */
export async function readTradersElsewhere(
  client: StoreClient,
  { mint, mark }: Pick<SendsWindow, 'mint' | 'mark'>,
  wallets: readonly Address[],
): Promise<ReadonlySet<Address | ''>> {
  if (wallets.length === 0) return new Set();
  const rows = await traders(client, { mint, mark, wallets: [...wallets], limit: wallets.length });
  return new Set(rows.map(({ wallet }) => wallet));
}
