import { Type } from 'typebox';
import { newestTime } from '../../chain/newest-time.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { defineRowQuery, SHARED_READ_SECONDS } from '../../store/query.ts';
import { readBlockTimes } from '../../token/block-times.ts';
import { firstSlotOf } from '../../token/chain-time-reads.ts';
import { EVENT_MIN_SOL, MAX_EVENTS } from './contract-limits.ts';
import { EventLog } from './event-log.ts';
import { EVENTS_S, LargestTrades, type ListedTrade, listedGraduation, listedTrade, sizeClass } from './event-rules.ts';

const PLACE = {
  mint: 'account',
  slot: 'u32',
  block_index: 'u32',
  ix_index: 'u16',
  time: 'time',
  partial: 'bool',
} as const;

/** Trades of one read. */
const MAX_TRADES = 50_000;

const trades = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./event-trades.sql', import.meta.url),
  params: Type.Object({
    mark: Type.Integer(),
    from: Type.Integer(),
    to: Type.Integer(),
    above: Type.String(),
    limit: Type.Integer(),
    from_slot: Type.Integer(),
  }),
  maxRows: MAX_TRADES,
  layout: {
    name: 'event_trades',
    columns: {
      ...PLACE,
      venue: 'u8',
      trader: 'account',
      is_buy: 'bool',
      quote_mint: 'address',
      quote_amount: 'u64',
      protocol_actor: 'bool',
    },
  },
});

const graduations = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./event-graduations.sql', import.meta.url),
  params: Type.Object({
    mark: Type.Integer(),
    from: Type.Integer(),
    from_slot: Type.Integer(),
    limit: Type.Integer(),
  }),
  layout: { name: 'event_graduations', columns: { ...PLACE, user: 'address' } },
});

/**
 * Ages, in seconds, between which trades are read together, the newest first: of older ones only those are of use that
 * are larger than most of what is newer, so that each read gives a few thousand of the millions of a day.
 */
const AGES = [60, 3_600, EVENTS_S] as const;

/** The store counts seconds from 1970 to 2106. */
const LAST_SECOND = 2 ** 32 - 1;

export type EventReads = (mark: number) => Promise<EventLog>;

/**
 * The large trades and graduations of the day that ends with the time of the chain at slot `mark`. `wall`: Unix seconds by
 * the clock on the wall.
 */
export async function readEvents(
  client: StoreClient,
  mark: number,
  wall: () => number,
  maxTrades = MAX_TRADES,
): Promise<EventLog> {
  const blocks = await readBlockTimes(client, mark);
  const [oldest] = blocks;
  if (oldest === undefined) return new EventLog({ blocks, wall, trades: [], graduations: [] });
  const now = newestTime(
    blocks.map(({ time }) => time),
    wall(),
  );
  // A single block may be far ahead of the others by its slot, too.
  const since = (age: number) => ({ from: Math.max(0, now - age), from_slot: firstSlotOf(oldest.slot, age) });
  const graduated = graduations(client, { mark, ...since(EVENTS_S), limit: MAX_EVENTS });
  // It is awaited behind the trades: where these fail first, its own fault is nobody's.
  graduated.catch(() => {});
  const largest = new LargestTrades();
  const lost = new Map<number, number>();
  const read: ListedTrade[] = [];
  // What is ahead of the time of the chain is listed when its time comes.
  let to = LAST_SECOND;
  for (const age of AGES) {
    const least = largest.bar < EVENT_MIN_SOL.least ? EVENT_MIN_SOL.least - 1n : largest.bar;
    const rows = await trades(client, { mark, ...since(age), to, above: String(least), limit: maxTrades });
    const listed = rows.flatMap((row) => listedTrade(row) ?? []);
    for (const trade of listed) {
      read.push(trade);
      if (trade.time <= now) largest.add(trade.trade.lamports);
    }
    const oldest = listed.at(-1);
    // Whatever is older may have had trades of any size that is asked for here.
    if (rows.length === maxTrades && oldest !== undefined) {
      for (let size = sizeClass(least); size < 64; size += 1) lost.set(size, Math.min(now, oldest.time));
      break;
    }
    ({ from: to } = since(age));
  }
  const known = (await graduated).flatMap((row) => listedGraduation(row) ?? []);
  return new EventLog({ blocks, wall, trades: read, graduations: known, lost });
}
