import { createFollowed } from '../../books/followed.ts';
import { readBatch } from '../../books/mint-rows.ts';
import { comparePlaces } from '../../books/place.ts';
import { createRefreshed } from '../../books/refreshed.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { RowBatch } from '../../store/clickhouse/schema/row-batch.ts';
import { decodeRows } from '../../store/clickhouse/schema/row-codec.ts';
import { BLOCKS } from '../../store/clickhouse/schema/tables.ts';
import type { UnbrokenReader } from '../../token/history.ts';
import type { EventBlock, EventLog, EventPage } from './event-log.ts';
import type { EventReads } from './event-reads.ts';
import { type ListedEvent, type ListedTrade, listedGraduation, listedTrade } from './event-rules.ts';

/** The newest events of any least size. */
export interface EventsAsked extends EventPage {
  /** Slot that they tell of. */
  readonly slot: number;
  /** Unix seconds from which on no block is missing in them. */
  readonly wholeFrom: number;
}

/**
 * Large trades and graduations of a day, kept in memory from the feed, and out of the store alone while blocks that came
 * out of order wait to be stored.
 */
export interface EventSection {
  /**
   * @throws {ApiError} `warming_up` when they do not stand yet and are not read in good time.
   */
  newest(minLamports: bigint, limit: number): Promise<EventsAsked>;
  /** Reads them, beside everything else. */
  warm(): Promise<void>;
  /** Changes with every batch. */
  readonly version: number;
  close(): void;
}

export interface EventSectionDeps {
  readonly reads: EventReads;
  readonly unbroken: UnbrokenReader;
  readonly feed: Feed;
  readonly clock: Clock;
}

interface KnownEvents {
  readonly log: EventLog;
  /** Since when the log has every block: Unix seconds. */
  wholeFrom: number;
  /** Newest slot that it tells of. */
  lastSlot: number;
}

interface StoredEvents extends KnownEvents {
  readonly slot: number;
}

/** Nothing is read again for so many times as long as a read took: it goes through the trades of a day. */
const REST_FACTOR = 10;

export function createEventSection({ reads, unbroken, feed, clock }: EventSectionDeps): EventSection {
  const stored = createRefreshed<StoredEvents>({ clock, capacity: 1 });
  const followed = createFollowed<KnownEvents>({
    feed,
    clock,
    name: 'the log of events',
    restFactor: REST_FACTOR,
    read,
    add(known, batch) {
      const block = eventsOf(batch);
      known.log.add(block, feed.committedSlot);
      // The store learns of a hole only with what lies behind it.
      if (batch.firstSlot > known.lastSlot + 1) known.wholeFrom = Math.max(known.wholeFrom, known.log.now);
      known.lastSlot = Math.max(known.lastSlot, batch.lastSlot);
    },
    takeBack(known, { firstSlot, lastSlot }) {
      known.lastSlot = firstSlot - 1;
      return known.log.takeBack(firstSlot, lastSlot);
    },
    // A hole may have been filled that nobody asked about while it was there: its events are not in the log.
    lacksRows: (known) => {
      known.wholeFrom = Math.max(known.wholeFrom, known.log.now);
    },
  });

  async function wholeSince(): Promise<number> {
    return (await unbroken())?.since ?? 0;
  }

  async function read(mark: number): Promise<KnownEvents> {
    // Before the rows: a hole that is filled while they are read is not in all of them.
    const wholeFrom = await wholeSince();
    return { log: await reads(mark), wholeFrom, lastSlot: mark };
  }

  async function readStored(): Promise<StoredEvents> {
    const slot = feed.committedSlot;
    return { ...(await read(slot)), slot };
  }

  return {
    get version() {
      return followed.version;
    },
    warm: followed.warm,
    async newest(minLamports, limit) {
      // A hole that opened behind the log is in neither.
      const wholeFrom = await wholeSince();
      const known = await followed.get();
      if (known === undefined) {
        const { value } = await stored.get('', readStored);
        return { ...value.log.newest(minLamports, limit), wholeFrom: value.wholeFrom, slot: value.slot };
      }
      // A hole that was filled, or that was none: only skipped slots.
      if (wholeFrom < known.wholeFrom) followed.outdate();
      known.wholeFrom = Math.max(known.wholeFrom, wholeFrom);
      const slot = Math.max(feed.headSlot, feed.committedSlot);
      return { ...known.log.newest(minLamports, limit), wholeFrom: known.wholeFrom, slot };
    },
    close: followed.close,
  };
}

/** Events of a batch, in their order. */
function eventsOf(batch: RowBatch): EventBlock {
  const trades: ListedTrade[] = [];
  const graduations: ListedEvent[] = [];
  for (const rows of readBatch(batch).values()) {
    for (const swap of rows.swaps) {
      const trade = listedTrade(swap);
      if (trade !== undefined) trades.push(trade);
    }
    graduations.push(...rows.graduations.flatMap((row) => listedGraduation(row) ?? []));
  }
  const blocks = batch.tables.get(BLOCKS.name);
  const times = blocks === undefined ? [] : decodeRows(BLOCKS, blocks.bytes).map(({ time }) => time);
  return {
    firstSlot: batch.firstSlot,
    lastSlot: batch.lastSlot,
    time: Math.max(0, ...times),
    trades: trades.sort(comparePlaces),
    graduations: graduations.sort(comparePlaces),
  };
}
