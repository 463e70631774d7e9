import type { BookLimits, BookSizes } from '../../src/books/book-limits.ts';
import { type BookShelf, createBookShelf } from '../../src/books/book-shelf.ts';
import type { HolderAnswers } from '../../src/features/holders/answers.ts';
import { createHolderList } from '../../src/features/holders/holder-list.ts';
import { createHolderReads, type HolderReads } from '../../src/features/holders/largest-reads.ts';
import { createSnapshots, type TokenAnswers } from '../../src/features/tokens/answers.ts';
import { createTradeAnswers, type TradeAnswers } from '../../src/features/trades/answers.ts';
import { createTradeReads, type TradeReads } from '../../src/features/trades/trade-reads.ts';
import type { Feed } from '../../src/feed/feed.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import type { StoreClient } from '../../src/store/clickhouse/client.ts';
import { createRowReads, type RowReads } from '../../src/token/row-reads.ts';
import { createTokenReads, type TokenReads } from '../../src/token/token-reads.ts';

/** Every question that a token's book asks. */
export type BookReads = TokenReads & RowReads & TradeReads & HolderReads;

export function createBookReads(client: StoreClient): BookReads {
  return {
    ...createTokenReads(client),
    ...createRowReads(client),
    ...createTradeReads(client),
    ...createHolderReads(client),
  };
}

/** Every answer out of a token's book. */
export type TokenBooks = Pick<TokenAnswers, 'snapshot'> & TradeAnswers & Pick<HolderAnswers, 'holders'>;

export interface TokenBooksDeps {
  readonly reads: BookReads;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly shelf: BookShelf;
  readonly sizes: BookSizes;
  readonly solUsd: () => number | undefined;
}

export function createTokenBooks(deps: TokenBooksDeps): TokenBooks {
  const holders = createHolderList({ ...deps, isWhole: async () => true, venues: async () => [], onchain: undefined });
  return { snapshot: createSnapshots(deps), ...createTradeAnswers(deps), holders };
}

export interface ClosableTokenBooks extends TokenBooks {
  close(): void;
}

/** Books with a shelf of their own. */
export function openTokenBooks({
  limits,
  ...deps
}: Omit<TokenBooksDeps, 'shelf' | 'sizes' | 'solUsd'> &
  Partial<Pick<TokenBooksDeps, 'solUsd'>> & { readonly limits: BookLimits }): ClosableTokenBooks {
  const shelf = createBookShelf({ feed: deps.feed, limits });
  return { ...createTokenBooks({ solUsd: () => 150, ...deps, shelf, sizes: limits.sizes }), close: shelf.close };
}
