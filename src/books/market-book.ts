import type { Feed } from '../feed/feed.ts';
import type { ListPlace, ListWindow, MarketReads } from '../queries/market-reads.ts';
import type { RowBatch } from '../store/clickhouse/row-batch.ts';
import { MarketOrders } from './market-orders.ts';
import { createUnsettledRows } from './unsettled-rows.ts';

/**
 * The orders of the token list, newest first and last traded first, kept in
 * memory from the feed. Lists that are filtered by anything but order, or reach
 * further back than it does, are the store's.
 */
export interface MarketBook {
  /** The window's places, or undefined when the store has to be asked. */
  places(window: ListWindow): Promise<readonly ListPlace[] | undefined>;
  /** Changes with every batch. */
  readonly version: number;
  close(): void;
}

export interface MarketBookDeps {
  readonly reads: Pick<MarketReads, 'listMints'>;
  readonly feed: Feed;
  /** Tokens kept in each order. */
  readonly size: number;
}

/** A read under way, and what the feed brought meanwhile. */
interface Warming {
  readonly batches: RowBatch[];
  readonly done: Promise<void>;
}

export function createMarketBook({ reads, feed, size }: MarketBookDeps): MarketBook {
  let orders: MarketOrders | undefined;
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
    changed: discard,
  });

  function warm(): Promise<void> {
    if (warming !== undefined) return warming.done;
    const mark = feed.committedSlot;
    const batches = [...feed.since(mark)];
    const current: Warming = {
      batches,
      done: readOrders(reads, mark, size)
        .then((read) => {
          // Discarded meanwhile: what was read may be what is no longer so.
          if (warming !== current) return;
          for (const batch of batches) read.add(batch, feed.since(0).length);
          orders = read;
        })
        .finally(() => {
          if (warming === current) warming = undefined;
        }),
    };
    warming = current;
    return current.done;
  }

  return {
    get version() {
      return version;
    },
    async places(window) {
      if (!isOrderAlone(window) || unsettled.has('orders')) return undefined;
      if (orders === undefined) await warm();
      return orders?.places(window);
    },
    close: unsubscribe,
  };
}

function isOrderAlone({ graduated, creator, from, to }: ListWindow): boolean {
  return graduated === undefined && creator === undefined && from === undefined && to === undefined;
}

async function readOrders(reads: MarketBookDeps['reads'], mark: number, size: number): Promise<MarketOrders> {
  const window = { graduated: undefined, creator: undefined, from: undefined, to: undefined, cursor: undefined };
  const [newest, traded] = await Promise.all([
    reads.listMints(mark, { ...window, sort: 'newest', limit: size + 1 }),
    reads.listMints(mark, { ...window, sort: 'last_trade', limit: size + 1 }),
  ]);
  return new MarketOrders(size, newest, traded);
}
