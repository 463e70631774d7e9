import type { Section } from '../../books/book-set.ts';
import type { SectionSource } from '../../books/book-shelf.ts';
import { comparePlaces } from '../../books/place.ts';
import type { Address } from '../../chain/address.ts';
import type { PositionRow } from '../../store/clickhouse/schema/tables.ts';
import { SWAP_BYTES } from '../../token/first-swaps.ts';
import { MAX_FIRST_BUYERS } from './contract-limits.ts';
import { FirstBuyers } from './first-buyer-rules.ts';
import type { FirstBuyRow, LaunchReads } from './launch-reads.ts';

/** Positions that are held: of the buyers in a few quotes each, and of wallets that only sold so far. */
const MAX_POSITIONS = 5_000;

const POSITION_BYTES = 400;

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
      const buyers = new FirstBuyers<FirstBuyRow>(
        MAX_FIRST_BUYERS,
        await reads.firstBuys(mint, mark, MAX_FIRST_BUYERS),
      );
      // The next buyer may already have sold tokens that it was sent: without its position its figures would be wrong.
      const sellers = !buyers.full;
      const wallets = buyers.buys.map(({ trader }) => trader as Address);
      const read = await reads.positions(mint, { wallets, sellers, limit: MAX_POSITIONS });
      const positions = new Map<Address | '', Map<Address | '', PositionRow>>();
      let count = 0;
      const take = (row: PositionRow) => {
        const known = positions.get(row.trader) ?? new Map<Address | '', PositionRow>();
        const before = known.get(row.quote_mint);
        if (before !== undefined && comparePlaces(before, row) >= 0) return;
        if (before === undefined) count += 1;
        positions.set(row.trader, known.set(row.quote_mint, row));
      };
      for (const row of read) take(row);
      return {
        get buys() {
          return buyers.buys;
        },
        positionsOf: (wallet) => inOrder(positions.get(wallet)),
        get bytes() {
          // The feed brings whole swaps.
          return buyers.size * SWAP_BYTES + count * POSITION_BYTES;
        },
        apply(rows) {
          for (const swap of rows.swaps) if (swap.is_buy && !swap.protocol_actor) buyers.add(swap);
          for (const row of rows.positions) if (!buyers.full || buyers.has(row.trader)) take(row);
          return count < MAX_POSITIONS;
        },
      };
    },
    isWorthKeeping: () => true,
  };
}

/** By quote: the order in which they came to be known says nothing. */
function inOrder(positions: ReadonlyMap<string, PositionRow> | undefined): PositionRow[] {
  return [...(positions?.values() ?? [])].sort((a, b) => (a.quote_mint < b.quote_mint ? -1 : 1));
}
