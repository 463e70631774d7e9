import { Type } from 'typebox';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import type { RowOf } from '../../store/clickhouse/schema/table-layout.ts';
import { defineQuery, defineRowQuery, SHARED_READ_SECONDS } from '../../store/query.ts';
import type { TipSum } from '../../token/tip-providers.ts';
import { MAX_REPORT_ROWS, RECURRING_PARTS } from './contract-limits.ts';
import type { ReportSpan } from './report-span.ts';

/** Sums over all trades of a window, and the lists of who tipped and who was tipped. */

const MAX_TIP_WALLETS = 10_000;

const hour = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./report-hour.sql', import.meta.url),
  params: Type.Object({ hour: Type.Integer(), hour_slot: Type.Integer(), mark: Type.Integer() }),
  layout: {
    name: 'report_hour',
    columns: {
      trades: 'u64',
      buys: 'u64',
      sells: 'u64',
      tip_swaps: 'u64',
      active_traders: 'u64',
      volume: 'i128',
      fees: 'i128',
      creator_fees: 'i128',
      priority_fees: 'i128',
    },
  },
});

const WINDOW = { name: 'report_window', columns: { trades: 'u64', volume: 'i128' } } as const;

const window = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./report-window.sql', import.meta.url),
  params: Type.Object({
    window: Type.Integer(),
    running: Type.Integer(),
    running_slot: Type.Integer(),
    mark: Type.Integer(),
  }),
  layout: WINDOW,
});

const tokens = defineQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./report-tokens.sql', import.meta.url),
  params: Type.Object({ window: Type.Integer(), window_slot: Type.Integer(), mark: Type.Integer() }),
  row: Type.Object({ new_tokens: Type.Integer(), graduated: Type.Integer() }),
});

const TIPS = {
  name: 'report_tips',
  columns: { tip_wallet: 'account', count: 'u64', repeated: 'u64', lamports: 'i128', parts: 'u8' },
} as const;

export type TippedWallet = RowOf<typeof TIPS> & TipSum;

const tips = defineRowQuery({
  maxRows: MAX_TIP_WALLETS,
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./report-tips.sql', import.meta.url),
  params: Type.Object({
    window: Type.Integer(),
    window_slot: Type.Integer(),
    whole_from: Type.Integer(),
    running: Type.Integer(),
    span: Type.Integer(),
    parts: Type.Integer(),
    mark: Type.Integer(),
  }),
  layout: TIPS,
});

const TIPPERS = { name: 'report_tippers', columns: { wallet: 'account', count: 'u64', lamports: 'i128' } } as const;

export type Tipper = RowOf<typeof TIPPERS>;

const tippers = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./report-tippers.sql', import.meta.url),
  params: Type.Object({
    from: Type.Integer(),
    until: Type.Integer(),
    until_slot: Type.Integer(),
    mark: Type.Integer(),
    limit: Type.Integer(),
  }),
  layout: TIPPERS,
});

export async function readHour(client: StoreClient, { hour: from, hourSlot, mark }: ReportSpan) {
  const [row] = await hour(client, { hour: from, hour_slot: hourSlot, mark });
  return row!;
}

/** Swaps of a window that begins with a minute. */
export async function readWindow(client: StoreClient, span: ReportSpan): Promise<RowOf<typeof WINDOW>> {
  const { mark, runningSlot } = span;
  const [row] = await window(client, {
    ...{ window: span.from, running: span.runningMinute },
    ...{ running_slot: runningSlot, mark },
  });
  return row!;
}

export async function readTokens(client: StoreClient, { from, fromSlot, mark }: ReportSpan) {
  const [row] = await tokens(client, { window: from, window_slot: fromSlot, mark });
  return row!;
}

/** Everybody who was tipped. */
export function readTipped(client: StoreClient, span: ReportSpan): Promise<TippedWallet[]> {
  const { from, fromSlot, now, mark, runningMinute } = span;
  return tips(client, {
    ...{ window: from, window_slot: fromSlot, mark, running: runningMinute },
    ...{ whole_from: span.firstWholeMinute, span: now - from + 1, parts: RECURRING_PARTS },
  });
}

/** Who tipped most; of a window that is longer than an hour by whole hours, with that in which it begins. */
export function readTippers(client: StoreClient, { hours, mark }: ReportSpan): Promise<Tipper[]> {
  return tippers(client, {
    ...{ from: hours.from, until: hours.until, until_slot: hours.untilSlot },
    ...{ mark, limit: MAX_REPORT_ROWS },
  });
}
