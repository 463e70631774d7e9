import type { Address } from '../chain/address.ts';
import type { Feed } from '../feed/feed.ts';
import type { ListPlace, ListWindow, MarketReads } from '../queries/market-reads.ts';
import type { RowBatch } from '../store/clickhouse/row-batch.ts';
import { readBatch } from './mint-rows.ts';
import { comparePlaces } from './place.ts';
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

/** Both orders, oldest first: what changes is at the end. */
interface Orders {
  newest: ListPlace[];
  newestComplete: boolean;
  /** A map keeps the order in which keys were set: a token that trades moves to the end. */
  readonly traded: Map<Address, ListPlace>;
  tradedComplete: boolean;
}

export function createMarketBook({ reads, feed, size }: MarketBookDeps): MarketBook {
  let orders: Orders | undefined;
  let warming: { readonly batches: RowBatch[]; spoiled: boolean; readonly done: Promise<void> } | undefined;
  const unsettled = createUnsettledRows<'orders'>(feed);
  let version = 0;

  const unsubscribe = feed.subscribe((batch) => {
    version += 1;
    if (unsettled.isLate(batch)) {
      unsettled.note('orders', batch);
      orders = undefined;
      if (warming !== undefined) warming.spoiled = true;
      return;
    }
    warming?.batches.push(batch);
    if (orders !== undefined) applyBatch(orders, batch, size);
  });

  function warm(): Promise<void> {
    if (warming !== undefined) return warming.done;
    const mark = feed.committedSlot;
    const batches = [...feed.since(mark)];
    const started = readOrders(reads, mark, size)
      .then((read) => {
        for (const batch of batches) applyBatch(read, batch, size);
        // The store may have been ahead of some of those batches.
        const inOrder = [...read.traded.values()].sort(compareListed);
        read.traded.clear();
        for (const place of inOrder) read.traded.set(place.mint, place);
        if (warming?.spoiled === false) orders = read;
      })
      .finally(() => {
        warming = undefined;
      });
    warming = { batches, spoiled: false, done: started };
    return started;
  }

  return {
    get version() {
      return version;
    },
    async places(window) {
      if (!isOrderAlone(window) || unsettled.has('orders')) return undefined;
      if (orders === undefined) await warm();
      return orders === undefined ? undefined : cutPlaces(orders, window);
    },
    close: unsubscribe,
  };
}

function isOrderAlone({ graduated, creator, from, to }: ListWindow): boolean {
  return graduated === undefined && creator === undefined && from === undefined && to === undefined;
}

async function readOrders(reads: MarketBookDeps['reads'], mark: number, size: number): Promise<Orders> {
  const window = { graduated: undefined, creator: undefined, from: undefined, to: undefined, cursor: undefined };
  const [newest, traded] = await Promise.all([
    reads.listMints(mark, { ...window, sort: 'newest', limit: size + 1 }),
    reads.listMints(mark, { ...window, sort: 'last_trade', limit: size + 1 }),
  ]);
  return {
    newest: newest.slice(0, size).reverse(),
    newestComplete: newest.length <= size,
    traded: new Map(
      traded
        .slice(0, size)
        .reverse()
        .map((place) => [place.mint, place]),
    ),
    tradedComplete: traded.length <= size,
  };
}

function applyBatch(orders: Orders, batch: RowBatch, size: number): void {
  const born: ListPlace[] = [];
  const traded: ListPlace[] = [];
  for (const [mint, { creations, swaps }] of readBatch(batch)) {
    if (mint === '') continue;
    const creation = creations[0];
    const swap = swaps.at(-1);
    if (creation !== undefined) born.push(placeOf(mint, creation));
    if (swap !== undefined) traded.push(placeOf(mint, swap));
  }
  orders.newest.push(...born.sort(compareListed));
  for (const place of traded.sort(compareListed)) {
    const known = orders.traded.get(place.mint);
    // What the store read may be ahead of the batch.
    if (known !== undefined && comparePlaces(known, place) >= 0) continue;
    orders.traded.delete(place.mint);
    orders.traded.set(place.mint, place);
  }
  trim(orders, size);
}

function trim(orders: Orders, size: number): void {
  // Cut rarely: moving a whole array for every token would cost more than the tokens.
  if (orders.newest.length >= 2 * size) {
    orders.newest = orders.newest.slice(-size);
    orders.newestComplete = false;
  }
  for (const mint of orders.traded.keys()) {
    if (orders.traded.size <= size) break;
    orders.traded.delete(mint);
    orders.tradedComplete = false;
  }
}

function placeOf(mint: Address, row: Omit<ListPlace, 'mint'>): ListPlace {
  return { mint, slot: row.slot, block_index: row.block_index, ix_index: row.ix_index };
}

/** Positive when `a` is listed before `b`: it is newer, or has the smaller mint of one place. */
function compareListed(a: ListPlace, b: ListPlace): number {
  return comparePlaces(a, b) || (a.mint < b.mint ? 1 : a.mint > b.mint ? -1 : 0);
}

function cutPlaces(orders: Orders, { sort, cursor, limit }: ListWindow): ListPlace[] | undefined {
  const oldestFirst = sort === 'newest' ? orders.newest : [...orders.traded.values()];
  const complete = sort === 'newest' ? orders.newestComplete : orders.tradedComplete;
  const places: ListPlace[] = [];
  for (let i = oldestFirst.length - 1; i >= 0 && places.length < limit; i -= 1) {
    const place = oldestFirst[i]!;
    if (cursor === undefined || compareListed(place, cursor) < 0) places.push(place);
  }
  return places.length < limit && !complete ? undefined : places;
}
