import { readBatch } from '../../books/mint-rows.ts';
import { comparePlaces } from '../../books/place.ts';
import { createRefreshed } from '../../books/refreshed.ts';
import { createUnsettledRows } from '../../books/unsettled-rows.ts';
import { ApiError } from '../../contract/errors.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { RowBatch } from '../../store/clickhouse/schema/row-batch.ts';
import { decodeRows } from '../../store/clickhouse/schema/row-codec.ts';
import { BLOCKS } from '../../store/clickhouse/schema/tables.ts';
import { readForService } from '../../store/reads/reader.ts';
import type { EventBlock, EventLog, EventPage } from './event-log.ts';
import type { EventReads } from './event-reads.ts';
import { type ListedEvent, type ListedTrade, listedGraduation, listedTrade } from './event-rules.ts';

/** The newest events of any least size, and the slot that they tell of. */
export interface EventsAsked extends EventPage {
  readonly slot: number;
}

/**
 * Large trades and graduations of a day, kept in memory from the feed. They are read from the store when the service
 * starts, and again when the store has other rows than before, now and then. While blocks that came out of order wait to
 * be stored, the store alone is asked.
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
  readonly feed: Feed;
  readonly clock: Clock;
}

/** A read under way, and what the feed brought meanwhile. */
interface Warming {
  readonly batches: RowBatch[];
  /** True once the store's rows were replaced: what is read may be the old ones. */
  outdated: boolean;
  readonly done: Promise<void>;
}

/** A question waits so long for the first read, then it is refused. */
const HOLD_MS = 2_000;
/** Between two reads, milliseconds; longer where one takes long. */
const REREAD_MS = 10_000;
const REST_FACTOR = 10;

export function createEventSection({ reads, feed, clock }: EventSectionDeps): EventSection {
  let log: EventLog | undefined;
  /** True when the store has had other rows since they were read. */
  let stale = false;
  /** Monotonic time from which on they may be read again. */
  let rereadAt = 0;
  let warming: Warming | undefined;
  let version = 0;
  const unsettled = createUnsettledRows<'events'>(feed);
  const stored = createRefreshed<EventsOfStore>({ clock, capacity: 1 });

  function discard(): void {
    log = undefined;
    warming = undefined;
  }

  const unsubscribe = feed.subscribe({
    batch(batch) {
      version += 1;
      if (unsettled.isLate(batch)) {
        unsettled.note('events', batch);
        discard();
        return;
      }
      warming?.batches.push(batch);
      log?.add(eventsOf(batch), feed.committedSlot);
    },
    withdrawn(batch) {
      version += 1;
      unsettled.withdrawn();
      const at = warming?.batches.indexOf(batch) ?? -1;
      if (at >= 0) warming?.batches.splice(at, 1);
      if (log?.takeBack(batch.firstSlot) === false) discard();
    },
    changed(_mints, what) {
      // What a row says of its token may be new.
      version += 1;
      if (what === 'descriptions') return;
      stale = true;
      if (warming !== undefined) warming.outdated = true;
    },
  });

  function warm(): Promise<void> {
    if (warming !== undefined) return warming.done;
    const mark = feed.committedSlot;
    const begunAt = clock.elapsed();
    const batches = [...feed.since(mark)];
    const current: Warming = {
      batches,
      outdated: false,
      done: readForService(() => reads(mark))
        .then((read) => {
          // Discarded meanwhile: what was read may be what is no longer so.
          if (warming !== current) return;
          for (const batch of batches) read.add(eventsOf(batch), feed.committedSlot);
          log = read;
          stale = current.outdated;
          const took = clock.elapsed() - begunAt;
          rereadAt = begunAt + Math.max(REREAD_MS, REST_FACTOR * took);
          version += 1;
        })
        .finally(() => {
          if (warming === current) warming = undefined;
        }),
    };
    warming = current;
    return current.done;
  }

  /** False when they are not read in good time. The read goes on. */
  async function isWarmSoon(): Promise<boolean> {
    const patience = new AbortController();
    const late = clock.sleep(HOLD_MS, patience.signal).then(() => false);
    try {
      return await Promise.race([warm().then(() => true), late]);
    } finally {
      patience.abort();
    }
  }

  async function readStored(): Promise<EventsOfStore> {
    const mark = feed.committedSlot;
    return { log: await reads(mark), slot: mark };
  }

  return {
    get version() {
      return version;
    },
    warm,
    async newest(minLamports, limit) {
      if (unsettled.has('events')) {
        const { value } = await stored.get('', readStored);
        return { ...value.log.newest(minLamports, limit), slot: value.slot };
      }
      if (log !== undefined && stale && clock.elapsed() >= rereadAt) {
        // While the store fails, or is slow, what stands is better than nothing.
        await isWarmSoon().catch(() => false);
      }
      if (log === undefined && !(await isWarmSoon())) throw notWarm();
      // Late rows may have come while the store was read.
      if (log === undefined) throw notWarm();
      return { ...log.newest(minLamports, limit), slot: Math.max(feed.headSlot, feed.committedSlot) };
    },
    close: unsubscribe,
  };
}

interface EventsOfStore {
  readonly log: EventLog;
  readonly slot: number;
}

function notWarm(): ApiError {
  return new ApiError('warming_up', { message: 'the events of the last day are being read' });
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
    graduations.push(...rows.graduations.map(listedGraduation));
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
