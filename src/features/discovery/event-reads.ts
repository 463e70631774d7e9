import { Type } from 'typebox';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { defineRowQuery, SHARED_READ_SECONDS } from '../../store/query.ts';
import { EVENT_MIN_SOL, MAX_EVENTS } from './contract-limits.ts';
import { EventLog } from './event-log.ts';
import { EVENTS_S, LargestTrades, type ListedTrade, listedGraduation, listedTrade, sizeClass } from './event-rules.ts';
import { readNewestTime } from './newest-block-reads.ts';

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
    slots: Type.Integer(),
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
  params: Type.Object({ mark: Type.Integer(), from: Type.Integer(), limit: Type.Integer() }),
  layout: { name: 'event_graduations', columns: { ...PLACE, user: 'address' } },
});

/**
 * Ages, in seconds, between which trades are read together, the newest first: of older ones only those are of use that
 * are larger than most of what is newer, so that each read gives a few thousand of the millions of a day.
 */
const AGES = [60, 3_600, EVENTS_S] as const;

/** Twice as many as the shortest slot that is planned comes to, and more. */
const MAX_SLOTS_A_SECOND = 20;

export type EventReads = (mark: number) => Promise<EventLog>;

/** The large trades and graduations of the day that ends with the newest block up to slot `mark`. */
export async function readEvents(client: StoreClient, mark: number, maxTrades = MAX_TRADES): Promise<EventLog> {
  const now = await readNewestTime(client, mark);
  if (now === undefined) return new EventLog({ time: 0, trades: [], graduations: [] });
  const graduated = graduations(client, { mark, from: Math.max(0, now - EVENTS_S), limit: MAX_EVENTS });
  // It is awaited behind the trades: where these fail first, its own fault is nobody's.
  graduated.catch(() => {});
  const largest = new LargestTrades();
  const lost = new Map<number, number>();
  const read: ListedTrade[] = [];
  let to = 2 ** 32 - 1;
  for (const age of AGES) {
    const from = Math.max(0, now - age);
    const least = largest.bar < EVENT_MIN_SOL.least ? EVENT_MIN_SOL.least - 1n : largest.bar;
    const slots = age * MAX_SLOTS_A_SECOND;
    const rows = await trades(client, { mark, from, to, above: String(least), limit: maxTrades, slots });
    const listed = rows.flatMap((row) => listedTrade(row) ?? []);
    for (const trade of listed) {
      read.push(trade);
      largest.add(trade.trade.lamports);
    }
    const oldest = listed.at(-1);
    // Whatever is older may have had trades of any size that is asked for here.
    if (rows.length === maxTrades && oldest !== undefined) {
      for (let size = sizeClass(least); size < 64; size += 1) lost.set(size, oldest.time);
      break;
    }
    to = from;
  }
  const known = (await graduated).map(listedGraduation);
  return new EventLog({ time: now, trades: read, graduations: known, lost });
}
