import type { Section } from '../books/book-set.ts';
import type { SectionSource } from '../books/book-shelf.ts';
import { KeptBodies } from '../books/kept-bodies.ts';
import type { Address } from '../chain/address.ts';
import type { SwapRow } from '../store/clickhouse/schema/tables.ts';
import type { RowReads } from './row-reads.ts';

/** Swaps that are held, from the first: the largest `limit` of /launch, and what may stand beside the last one. */
const FIRST_SWAPS = 500 + 64;

/** A decoded row: about forty fields, a third of them 64-bit integers of their own. */
export const SWAP_BYTES = 1_200;

/** The first swaps of a token, as the store and the feed know them; later ones change nothing. */
export interface FirstSwapsSection extends Section {
  /** In order of place, more than anybody may ask for. Together with the token section's facts they are what `analyseLaunch` takes. */
  readonly swaps: readonly SwapRow[];
  /** Answers made of the swaps. */
  readonly bodies: KeptBodies;
}

export function firstSwapsSection(reads: Pick<RowReads, 'swaps'>, mint: Address): SectionSource<FirstSwapsSection> {
  return {
    key: 'launch',
    async load(mark) {
      const swaps = [...(await reads.swaps(mint, mark, { order: 'asc', limit: FIRST_SWAPS, cursor: undefined }))];
      const bodies = new KeptBodies();
      return {
        swaps,
        bodies,
        get bytes() {
          return swaps.length * SWAP_BYTES + bodies.bytes;
        },
        apply(rows) {
          const later = rows.swaps.slice(0, FIRST_SWAPS - swaps.length);
          if (later.length > 0) bodies.clear();
          swaps.push(...later);
          return true;
        },
      };
    },
    isWorthKeeping: () => true,
  };
}
