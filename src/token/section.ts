import type { Section } from '../books/book-set.ts';
import type { SectionSource } from '../books/book-shelf.ts';
import type { Address } from '../chain/address.ts';
import { marketBytes } from './markets.ts';
import { foldToken, isKnown, type TokenState } from './state.ts';
import type { TokenReads } from './token-reads.ts';

/** About what a token's own facts take: its rows and the text in them. */
const TOKEN_BYTES = 4_096;

/** Section with the facts of the token itself. */
export interface TokenSection extends Section {
  readonly state: TokenState;
  /** False when nobody as much as tried to trade it. */
  readonly known: boolean;
}

export function tokenSection(reads: TokenReads, mint: Address): SectionSource<TokenSection> {
  return {
    key: 'token',
    async load(mark) {
      let state: TokenState = { mint, ...(await reads.token(mint, mark)) };
      let attempted = state.attempted === true;
      return {
        get state() {
          return state;
        },
        get known() {
          return attempted || isKnown(state);
        },
        get bytes() {
          return TOKEN_BYTES + marketBytes(state);
        },
        apply(rows) {
          state = foldToken(state, rows);
          attempted ||= rows.attempts.length > 0;
          return true;
        },
      };
    },
    // Addresses nobody traded or tried to are made up at will: they get no place.
    isWorthKeeping: ({ known }) => known,
  };
}
