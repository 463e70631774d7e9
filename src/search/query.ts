import { fold, lengthOf } from './fold.ts';

/** What is looked for: a text as names are compared, and the beginning of a mint, where it can be one. */
export interface SearchQuery {
  readonly folded: string;
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
    bytes: Buffer.from(folded, 'utf8'),
    length: lengthOf(folded),
    mint: MINT_BEGINNING.test(address) ? Buffer.from(address, 'utf8') : undefined,
  };
}
