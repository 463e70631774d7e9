import type { Section } from '../books/book-set.ts';
import type { SectionSource } from '../books/book-shelf.ts';
import type { MintRows } from '../books/mint-rows.ts';
import type { Address } from '../chain/address.ts';
import type { TokenTraces } from './facts.ts';
import { marketBytes } from './markets.ts';
import { foldToken, isKnown, type TokenState } from './state.ts';
import type { TokenReads } from './token-reads.ts';

/** About what a token's own facts take: its rows and the text in them. */
const TOKEN_BYTES = 4_096;

/** Section with the facts of the token itself. */
export interface TokenSection extends Section {
  readonly state: TokenState;
  /** False when nobody as much as tried to trade it, or sent it. */
  readonly known: boolean;
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
        get known() {
          return state.traces?.known === true || isKnown(state);
        },
        get bytes() {
          return TOKEN_BYTES + marketBytes(state);
        },
        apply(rows) {
          state = { ...foldToken(state, rows), traces: foldTraces(state.traces, rows) };
          return true;
        },
      };
    },
    // Addresses nobody traded, tried to or sent are made up at will: they get no place.
    isWorthKeeping: ({ known }) => known,
  };
}

function foldTraces(
  traces: TokenTraces | undefined,
  { attempts, transfers, hiddenTransfers }: Pick<MintRows, 'attempts' | 'transfers' | 'hiddenTransfers'>,
): TokenTraces | undefined {
  const sent = transfers[0] ?? hiddenTransfers[0];
  if (attempts.length === 0 && sent === undefined) return traces;
  return { known: true, decimals: traces?.decimals ?? sent?.decimals };
}
