import type { Address } from '../chain/address.ts';
import type { TokenReads } from '../queries/token-reads.ts';
import type { Section } from './book-set.ts';
import type { SectionSource } from './book-shelf.ts';
import { foldToken, isKnown, type TokenState } from './token-state.ts';

/** About what a token's own facts take: its rows and the text in them. */
const TOKEN_BYTES = 4_096;

/** What is known of the token itself. */
export interface TokenSection extends Section {
  readonly state: TokenState;
}

export function tokenSection(reads: TokenReads, mint: Address): SectionSource<TokenSection> {
  return {
    key: 'token',
    async load(mark) {
      let state: TokenState = { mint, ...(await reads.token(mint, mark)) };
      return {
        get state() {
          return state;
        },
        bytes: TOKEN_BYTES,
        apply(rows) {
          state = foldToken(state, rows);
          return true;
        },
      };
    },
    // Addresses nobody traded are made up at will: they get no place.
    isWorthKeeping: ({ state }) => isKnown(state),
  };
}
