import { Type } from 'typebox';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import type { RowOf } from '../../store/clickhouse/schema/table-layout.ts';
import { defineRowQuery, SHARED_READ_SECONDS } from '../../store/query.ts';
import { firstSlotOf, minuteOf, readChainTime } from '../../token/chain-time-reads.ts';
import { unprintableClass } from '../../token/shown-name.ts';
import { MAX_NAMES } from './contract-limits.ts';

const NAMES = {
  name: 'trending_names',
  columns: {
    name: 'string',
    tokens: 'u32',
    /** Of the newest creation. */
    last_time: 'u32',
    top_mint: 'account',
    top_symbol: 'string',
    /** The highest of the newest prices in SOL, raw; `price_token` is 0 without one. */
    price_quote: 'u64',
    price_token: 'u64',
    token_decimals: 'u8',
    /** Slot of the newest swap of any of them; 0 without one. */
    newest: 'u32',
  },
} as const;

export type NameGroup = RowOf<typeof NAMES>;

const names = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./trending-names.sql', import.meta.url),
  params: Type.Object({
    mark: Type.Integer(),
    since: Type.Integer(),
    since_slot: Type.Integer(),
    now: Type.Integer(),
    running: Type.Integer(),
    running_slot: Type.Integer(),
    unprintable: Type.String(),
    limit: Type.Integer(),
  }),
  layout: NAMES,
});

/** More than a minute has. */
const MINUTE_SLOTS = 2_000;

export interface NameRows {
  readonly groups: readonly NameGroup[];
  /** Unix seconds at which the window begins, and at which it ends. */
  readonly from: number;
  readonly now: number;
}

/**
 * Names of several tokens made in the `window` seconds that end with the time of the chain at slot `mark`; undefined
 * while there is no block. `wall`: Unix seconds by the clock on the wall.
 */
export async function readNames(
  client: StoreClient,
  mark: number,
  window: number,
  wall: number,
): Promise<NameRows | undefined> {
  const chain = await readChainTime(client, mark, wall);
  if (chain === undefined) return undefined;
  const { now, slot } = chain;
  const from = Math.max(0, now - window);
  const groups = await names(client, {
    mark,
    since: from,
    since_slot: firstSlotOf(slot, window),
    now,
    running: minuteOf(now),
    running_slot: Math.max(0, mark - MINUTE_SLOTS),
    unprintable: unprintableClass(),
    limit: MAX_NAMES,
  });
  return { groups, from, now };
}
