import type { Address } from '../chain/address.ts';
import type { FirstBuyRow, LaunchReads } from '../queries/launch-reads.ts';
import { FirstBuyers } from '../research/first-buyers.ts';
import type { PositionRow } from '../store/clickhouse/tables.ts';
import type { Section } from './book-set.ts';
import type { SectionSource } from './book-shelf.ts';
import { comparePlaces } from './place.ts';

/** Wallets that are held: the largest `limit` of /first-buyers. */
export const FIRST_BUYERS = 500;

/** A first buy, and a position in one quote. */
const BUYER_BYTES = 1_000;

/** The first wallets that bought a token, and where they stand now. */
export interface FirstBuyerSection extends Section {
  /** The first buy of each, in order. */
  readonly buys: readonly FirstBuyRow[];
  /** A wallet's positions, one in each quote; none for what single transactions told. */
  positionsOf(wallet: Address | ''): readonly PositionRow[];
}

export function firstBuyerSection(
  reads: Pick<LaunchReads, 'firstBuys' | 'positions'>,
  mint: Address,
): SectionSource<FirstBuyerSection> {
  return {
    key: 'first-buyers',
    async load(mark) {
      const buyers = new FirstBuyers<FirstBuyRow>(FIRST_BUYERS, await reads.firstBuys(mint, mark, FIRST_BUYERS));
      const positions = new Map<Address | '', Map<Address | '', PositionRow>>();
      const take = (row: PositionRow) => {
        const known = positions.get(row.trader) ?? new Map<Address | '', PositionRow>();
        const before = known.get(row.quote_mint);
        if (before !== undefined && comparePlaces(before, row) >= 0) return;
        positions.set(row.trader, known.set(row.quote_mint, row));
      };
      const wallets = buyers.buys.map(({ trader }) => trader as Address);
      for (const row of await reads.positions(mint, wallets)) take(row);
      const quotes = new Set(Array.from(positions.values(), (each) => [...each.keys()]).flat());
      return {
        get buys() {
          return buyers.buys;
        },
        positionsOf: (wallet) => [...(positions.get(wallet)?.values() ?? [])],
        get bytes() {
          return buyers.size * BUYER_BYTES;
        },
        apply(rows) {
          const newcomers = rows.swaps.filter((swap) => swap.is_buy && !swap.protocol_actor && buyers.add(swap));
          for (const row of rows.positions) if (buyers.has(row.trader)) take(row);
          for (const { quote_mint } of rows.swaps) quotes.add(quote_mint);
          // Whoever buys for the first time may have sold what they were sent, in another quote than this one.
          return newcomers.length === 0 || quotes.size === 1;
        },
      };
    },
    isWorthKeeping: () => true,
  };
}
