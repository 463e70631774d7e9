import { createUnsettledRows } from '../../books/unsettled-rows.ts';
import { ApiError } from '../../contract/errors.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { RowBatch } from '../../store/clickhouse/schema/row-batch.ts';
import { readForService } from '../../store/reads/reader.ts';
import type { MarketReads } from './list-reads.ts';
import { MarketOrders } from './market-orders.ts';
import type { ListPlace, ListWindow } from './mint-reads.ts';

/**
 * The orders of the token list, newest first and last traded first, kept in
 * memory from the feed. They are read from the store by the first question, and
 * again when the store has other rows than before: at most every ten seconds,
 * so that a hole can be filled beneath them for hours. Lists that are filtered by
 * anything but order, or reach further back than they do, are the store's.
 */
export interface TokenIndex {
  /**
   * The window's places, or undefined when the store has to be asked.
   *
   * @throws {ApiError} `warming_up` when the orders do not stand yet and are not read in good time.
   */
  places(window: ListWindow): Promise<readonly ListPlace[] | undefined>;
  /** Changes with every batch. */
  readonly version: number;
  close(): void;
}

export interface TokenIndexDeps {
  readonly reads: Pick<MarketReads, 'listMints'>;
  readonly feed: Feed;
  readonly clock: Clock;
  /** Tokens kept in each order. */
  readonly size: number;
}

/** A read under way, and what the feed brought meanwhile. */
interface Warming {
  readonly batches: RowBatch[];
  /** True once the store's rows were replaced: what is read may be the old ones. */
  outdated: boolean;
  readonly done: Promise<void>;
}

/** A question waits so long for the orders, then it is refused, or answered from those that stand. */
const HOLD_MS = 2_000;
/** Between two reads of orders that stand. */
const REREAD_MS = 10_000;
/** Reads that one question waits for: the one that it finds under way, and its own. */
const MAX_READS = 2;

export function createTokenIndex({ reads, feed, clock, size }: TokenIndexDeps): TokenIndex {
  let orders: MarketOrders | undefined;
  /** True when the store has had other rows since they were read. */
  let stale = false;
  /** Monotonic time at which the read of the orders began: changes since then are not in them. */
  let readAt = Number.NEGATIVE_INFINITY;
  let warming: Warming | undefined;
  const unsettled = createUnsettledRows<'orders'>(feed);
  let version = 0;

  function discard(): void {
    version += 1;
    orders = undefined;
    warming = undefined;
  }

  const unsubscribe = feed.subscribe({
    batch(batch) {
      version += 1;
      if (unsettled.isLate(batch)) {
        unsettled.note('orders', batch);
        discard();
        return;
      }
      warming?.batches.push(batch);
      orders?.add(batch, feed.since(0).length);
    },
    withdrawn(batch) {
      version += 1;
      unsettled.withdrawn();
      const at = warming?.batches.indexOf(batch) ?? -1;
      if (at >= 0) warming?.batches.splice(at, 1);
      if (orders?.takeBack(batch) === false) discard();
    },
    changed(_mints, what) {
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
      done: readForService(() => readOrders(reads, mark, size))
        .then((read) => {
          // Discarded meanwhile: what was read may be what is no longer so.
          if (warming !== current) return;
          for (const batch of batches) read.add(batch, feed.since(0).length);
          orders = read;
          stale = current.outdated;
          readAt = begunAt;
          version += 1;
        })
        .finally(() => {
          if (warming === current) warming = undefined;
        }),
    };
    warming = current;
    return current.done;
  }

  /** False when the orders are not read in good time. The read goes on. */
  async function isWarmSoon(): Promise<boolean> {
    const patience = new AbortController();
    const late = clock.sleep(HOLD_MS, patience.signal).then(() => false);
    try {
      return await Promise.race([warm().then(() => true), late]);
    } finally {
      patience.abort();
    }
  }

  return {
    get version() {
      return version;
    },
    async places(window) {
      if (!isOrderAlone(window) || unsettled.has('orders')) return undefined;
      // A read that was under way may have begun before the rows changed that the caller knows of; the next one did not.
      for (let reads = 0; reads < MAX_READS; reads += 1) {
        if (orders === undefined) {
          if (!(await isWarmSoon())) throw new ApiError('warming_up', { message: 'the list of tokens is being read' });
        } else if (stale && clock.elapsed() - readAt >= REREAD_MS) {
          // While the store fails, what stands is better than nothing.
          if (!(await isWarmSoon().catch(() => false))) break;
        } else break;
      }
      return orders?.places(window);
    },
    close: unsubscribe,
  };
}

/** False for a window that is filtered, which the orders know nothing of. */
export function isOrderAlone({ graduated, creator, from, to }: ListWindow): boolean {
  return graduated === undefined && creator === undefined && from === undefined && to === undefined;
}

async function readOrders(reads: TokenIndexDeps['reads'], mark: number, size: number): Promise<MarketOrders> {
  const window = { graduated: undefined, creator: undefined, from: undefined, to: undefined, cursor: undefined };
  const [newest, traded] = await Promise.all([
    reads.listMints(mark, { ...window, sort: 'newest', limit: size + 1 }),
    reads.listMints(mark, { ...window, sort: 'last_trade', limit: size + 1 }),
  ]);
  return new MarketOrders(size, newest, traded);
}
