import { createFollowed } from '../../books/followed.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { MarketReads } from './list-reads.ts';
import { MarketOrders } from './market-orders.ts';
import type { ListWindow } from './mint-reads.ts';
import type { PlacesRead } from './page-walk.ts';

/**
 * The orders of the token list, newest first and last traded first, kept in
 * memory from the feed. They are read from the store by the first question, and
 * again when the store has other rows than before: at most every ten seconds,
 * so that a hole can be filled beneath them for hours. Lists that are filtered by
 * anything but order, or reach further back than they do, are the store's.
 */
export interface TokenIndex {
  /**
   * The window's places as far as memory reaches, or undefined when the store has to be asked.
   *
   * @throws {ApiError} `warming_up` when the orders do not stand yet and are not read in good time.
   */
  reach(window: ListWindow): Promise<PlacesRead | undefined>;
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

export function createTokenIndex({ reads, feed, clock, size }: TokenIndexDeps): TokenIndex {
  const orders = createFollowed<MarketOrders>({
    feed,
    clock,
    name: 'the list of tokens',
    read: (mark) => readOrders(reads, mark, size),
    add: (standing, batch) => standing.add(batch, feed.since(0).length),
    takeBack: (standing, batch) => standing.takeBack(batch),
  });
  return {
    get version() {
      return orders.version;
    },
    reach: async (window) => (isOrderAlone(window) ? (await orders.get())?.reach(window) : undefined),
    close: orders.close,
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
