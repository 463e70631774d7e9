import type { BookLimits } from '../../src/books/book-limits.ts';
import { createBookShelf } from '../../src/books/book-shelf.ts';
import { createTokenBooks, type TokenBooks, type TokenBooksDeps } from '../../src/books/token-books.ts';

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
