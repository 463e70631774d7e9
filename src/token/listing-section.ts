import type { Section } from '../books/book-set.ts';
import type { SectionSource } from '../books/book-shelf.ts';
import { gatherReads } from '../books/gather.ts';
import type { Address } from '../chain/address.ts';
import type { FiguresAsked, ListedToken } from './listed-reads.ts';
import { marketBytes } from './markets.ts';
import { foldToken } from './state.ts';
import type { TradeFigures } from './trade-figures.ts';
import { TraderCount } from './trader-count.ts';

/** A token's rows and texts. */
const TOKEN_BYTES = 4_096;
/** Tokens of the largest page: what one read tells of. */
const MAX_TOGETHER = 500;

/** List row of one token, kept up to date. */
export interface ListingSection extends Section {
  readonly token: ListedToken;
}

/** The questions what lists tell of some mints. */
export interface ListingsRead {
  /** Their rows, in the order given, but for their figures. */
  listTokens(mints: readonly Address[], mark: number): Promise<readonly ListedToken[]>;
  /** What their last hour up to the mark comes to, in the order given. */
  listFigures(mints: readonly Address[], mark: number, ...asked: FiguresAsked): Promise<readonly TradeFigures[]>;
}

/** Reads that are asked for in one turn are made as one. */
export type ListingReads = (mint: Address, mark: number) => Promise<ListedToken>;

export function listingSection(reads: ListingReads, mint: Address): SectionSource<ListingSection> {
  return {
    key: 'listing',
    async load(mark) {
      let token = await reads(mint, mark);
      const traders = new TraderCount(token.traders);
      /** Newest slot whose new positions are counted. */
      let countedSlot = mark;
      return {
        get token() {
          return token;
        },
        get bytes() {
          return TOKEN_BYTES + marketBytes(token.facts) + traders.bytes;
        },
        apply(rows) {
          const opened = rows.positions.filter(({ first_slot }) => first_slot > countedSlot);
          if (!traders.add(opened)) return false;
          for (const { slot } of rows.positions) countedSlot = Math.max(countedSlot, slot);
          token = {
            ...token,
            facts: foldToken({ mint, ...token.facts }, rows),
            traders: { ...token.traders, count: traders.count },
          };
          return true;
        },
      };
    },
    isWorthKeeping: () => true,
  };
}

/** Gathers the reads of one turn of the event loop into one read over their mints. */
export function gatherListings(reads: Pick<ListingsRead, 'listTokens'>): ListingReads {
  return gatherReads((mints, mark) => reads.listTokens(mints, mark), { together: MAX_TOGETHER, waitMs: 0 });
}
