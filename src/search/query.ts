import { fold, lengthOf } from './fold.ts';
import { MAX_FOLDED } from './name-table.ts';
import { cut } from './text-pool.ts';

/** What is looked for: a text as names are compared, and the beginning of a mint, where it can be one. */
export interface SearchQuery {
  readonly folded: string;
  /** Of the folded text, cut where names are: a longer name is found by its beginning. */
  readonly bytes: Uint8Array;
  /** Code points of the folded text. */
  readonly length: number;
  /** Mints are told apart by capitals; undefined for a text that no mint begins with. */
  readonly mint: Uint8Array | undefined;
}

const MINT_BEGINNING = /^[1-9A-HJ-NP-Za-km-z]{2,44}$/;

export function readQuery(text: string): SearchQuery {
  const folded = fold(text);
  const address = text.trim();
  return {
    folded,
    bytes: cut(folded, MAX_FOLDED),
    length: lengthOf(folded),
    mint: MINT_BEGINNING.test(address) ? Buffer.from(address, 'utf8') : undefined,
  };
}
