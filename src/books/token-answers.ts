import type { IngestStatus } from '../api/contract/resources/system.ts';
import type { Feed } from '../feed/feed.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import { createMarketReads, createTokenReads } from '../queries/store-reads.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import type { AnswerDeps, Answers, TokenFilter } from './answers.ts';
import { type BookLimits, DEFAULT_BOOK_LIMITS, DEFAULT_LIST_LIMITS, type ListLimits } from './book-limits.ts';
import type { BookMemory } from './book-set.ts';
import { createBookShelf } from './book-shelf.ts';
import type { HolderSnapshots } from './holder-snapshots.ts';
import { createIntelligenceAnswers } from './intelligence-answers.ts';
import { createLaunchAnswers } from './launch-answers.ts';
import { createMovementAnswers } from './movement-answers.ts';
import { createPackAnswers } from './pack-answers.ts';
import { createPriceAnswers, NO_SOL_PRICE, type SolPrice } from './price-answers.ts';
import { createServiceStats } from './service-stats.ts';
import { createTokenBooks } from './token-books.ts';
import { createTokenLists } from './token-lists.ts';
import { createTraderAnswers } from './trader-answers.ts';

export interface TokenAnswersDeps {
  readonly client: StoreClient;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly log: Logger;
  /** How blocks come in, for the statistics. */
  readonly ingest?: () => IngestStatus;
  /** The price of SOL; without it no figure is in dollars. */
  readonly solPrice?: SolPrice | undefined;
  /** What a node tells of holders; without one, trades tell. */
  readonly holderSnapshots?: HolderSnapshots | undefined;
  readonly bookLimits?: BookLimits;
  readonly listLimits?: ListLimits;
}

export interface ClosableTokenAnswers extends Answers {
  /** What books hold in memory: those of tokens, and those of the lists' rows. */
  memory(): Readonly<Record<'tokens' | 'lists', BookMemory>>;
  /** Stops following the feed. */
  close(): void;
}

/** Everything that the token routes answer from: books in memory, and the store behind them. */
export function createTokenAnswers({
  client,
  feed,
  clock,
  log,
  ingest,
  solPrice = NO_SOL_PRICE,
  holderSnapshots,
  bookLimits = DEFAULT_BOOK_LIMITS,
  listLimits = DEFAULT_LIST_LIMITS,
}: TokenAnswersDeps): ClosableTokenAnswers {
  const market = createMarketReads(client);
  const shelf = createBookShelf({ feed, limits: bookLimits });
  const solUsd = () => solPrice.usd();
  const deps: AnswerDeps = { client, feed, clock, log, shelf, solUsd };
  const reads = createTokenReads(client);
  const books = createTokenBooks({ reads, feed, clock, shelf, sizes: bookLimits.sizes, solUsd });
  const lists = createTokenLists({ reads: market, feed, clock, limits: listLimits, solUsd });
  const { snapshot, swaps, candles, ticks, activity, holders } = books;
  // The first list warms the market book, beside everything else: what is asked of a token does not wait for it.
  lists.list(FIRST_LIST).catch((error: unknown) => {
    log.warn({ err: String(error) }, 'the token list is not warm yet; the first request for it waits');
  });
  return {
    indexedSlot: () => Math.max(feed.headSlot, feed.committedSlot),
    snapshot,
    swaps,
    candles,
    ticks,
    activity,
    holders,
    list: lists.list,
    launch: createLaunchAnswers(deps),
    intelligence: createIntelligenceAnswers({ ...deps, holderSnapshots }),
    movements: createMovementAnswers(deps),
    traders: createTraderAnswers({ ...deps, snapshot }),
    prices: createPriceAnswers({ ...deps, solPrice }),
    pack: createPackAnswers(deps),
    ...createServiceStats(market, clock, ingest),
    memory: () => ({ tokens: shelf.memory, lists: lists.memory }),
    close() {
      shelf.close();
      lists.close();
    },
  };
}

/** What the list route asks for by default. */
const FIRST_LIST: TokenFilter = {
  sort: 'newest',
  graduated: undefined,
  creator: undefined,
  from: undefined,
  to: undefined,
  limit: 100,
  cursor: undefined,
};
