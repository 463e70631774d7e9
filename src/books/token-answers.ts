import type { Feed } from '../feed/feed.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import { createMarketReads, createTokenReads } from '../queries/store-reads.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import type { TokenAnswers } from './answers.ts';
import { type BookLimits, DEFAULT_BOOK_LIMITS } from './book-limits.ts';
import { createServiceStats } from './service-stats.ts';
import { createTokenBooks } from './token-books.ts';
import { createTokenLists } from './token-lists.ts';

export interface TokenAnswersDeps {
  readonly client: StoreClient;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly log: Logger;
  readonly limits?: BookLimits;
}

export interface ClosableTokenAnswers extends TokenAnswers {
  /** Stops following the feed. */
  close(): void;
}

/** Everything that the token routes answer from: books in memory, and the store behind them. */
export async function createTokenAnswers({
  client,
  feed,
  clock,
  limits = DEFAULT_BOOK_LIMITS,
}: TokenAnswersDeps): Promise<ClosableTokenAnswers> {
  const market = createMarketReads(client);
  return {
    indexedSlot: () => Math.max(feed.headSlot, feed.committedSlot),
    ...createTokenBooks({ reads: createTokenReads(client), feed, clock, limits }),
    ...createTokenLists({ reads: market, feed, clock }),
    ...createServiceStats(market, clock),
  };
}
