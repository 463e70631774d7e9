import { Type } from 'typebox';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { type Coverage, mergeRanges, missingRanges, newestSlot } from '../../store/clickhouse/coverage.ts';
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

/** Ranges of slots that parts of a store may tell apart. */
const MAX_RANGES = 1_000_000;
const SWEPT = 1;
/** More than a day has. */
const SLOTS_A_DAY = 300_000;

const swept = defineRowQuery({
  sql: new URL('./mempool-swept.sql', import.meta.url),
  params: Type.Object({}),
  maxRows: MAX_RANGES,
  layout: { name: 'mempool_swept', columns: { kind: 'u8', first_slot: 'u32', last_slot: 'u32' } },
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

/** Slots whose attempts were gone through, for a question about the last days. */
export interface MempoolMark {
  /** Of those days every whole slot up to this one was. */
  readonly slot: number;
  /** False while older slots wait, with attempts that may belong to the rows. */
  readonly isWhole: boolean;
}

/** How far the sweep has come for a question about the last `days` days: it goes through the newest slots first. */
export async function readMempoolMark(client: StoreClient, days: number): Promise<MempoolMark> {
  const ranges = (await swept(client, {})).map(({ kind, first_slot, last_slot }) => ({
    ...{ kind, first: first_slot, last: last_slot },
  }));
  const whole = mergeRanges(ranges.filter(({ kind }) => kind !== SWEPT));
  return mempoolMark(whole, mergeRanges(ranges.filter(({ kind }) => kind === SWEPT)), days);
}

/** The mark by the slots that are whole and those that were gone through. */
export function mempoolMark(whole: Coverage, done: Coverage, days: number): MempoolMark {
  const waiting = whole.flatMap((range) => missingRanges(done, range));
  const since = newestSlot(whole) - days * SLOTS_A_DAY;
  const next = waiting.find(({ last }) => last >= since);
  const slot = next === undefined ? newestSlot(done) : Math.max(next.first, since) - 1;
  return { slot: Math.max(0, slot), isWhole: waiting.every(({ first }) => first >= since) };
}
