import type { Address } from '../chain/address.ts';
import type { TokenReads } from '../queries/token-reads.ts';
import type { SwapRow } from '../store/clickhouse/tables.ts';
import type { Section } from './book-set.ts';
import type { SectionSource } from './book-shelf.ts';
import { KeptBodies } from './kept-bodies.ts';

/** Swaps that a launch's section holds, from the first: the largest `limit` of /launch, and what may stand beside the last one. */
const LAUNCH_SWAPS = 500 + 64;

/** A decoded row: about forty fields, a third of them 64-bit integers of their own. */
export const SWAP_BYTES = 1_200;

/** The first swaps of a token, as the store and the feed know them; later ones change nothing. */
export interface LaunchSection extends Section {
  /** In position order, more than anybody may ask for. Together with the token section's facts they are what `analyseLaunch` takes. */
  readonly swaps: readonly SwapRow[];
  /** Answers made of the swaps. */
  readonly bodies: KeptBodies;
}

export function launchSection(reads: Pick<TokenReads, 'swaps'>, mint: Address): SectionSource<LaunchSection> {
  return {
    key: 'launch',
    async load(mark) {
      const swaps = [...(await reads.swaps(mint, mark, { order: 'asc', limit: LAUNCH_SWAPS, cursor: undefined }))];
      const bodies = new KeptBodies();
      return {
        swaps,
        bodies,
        get bytes() {
          return swaps.length * SWAP_BYTES + bodies.bytes;
        },
        apply(rows) {
          const later = rows.swaps.slice(0, LAUNCH_SWAPS - swaps.length);
          if (later.length > 0) bodies.clear();
          swaps.push(...later);
          return true;
        },
      };
    },
    isWorthKeeping: () => true,
  };
}
