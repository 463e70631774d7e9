import type { Section } from '../../books/book-set.ts';
import type { SectionSource } from '../../books/book-shelf.ts';
import { comparePlaces } from '../../books/place.ts';
import type { Address } from '../../chain/address.ts';
import type { HoldingRow, PositionRow } from '../../store/clickhouse/schema/tables.ts';
import { SWAP_BYTES } from '../../token/first-swaps.ts';
import { newestSlotOf, readSettled, type SettledDeps } from '../../token/settled.ts';
import type { WalletRows } from '../../token/wallet-balance.ts';
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
  /** What is folded of a wallet; no positions for what single transactions told. */
  rowsOf(wallet: Address | ''): WalletRows;
}

export interface FirstBuyerDeps extends SettledDeps {
  readonly reads: Pick<LaunchReads, 'firstBuys' | 'positions' | 'holdings'>;
}

export function firstBuyerSection(
  { reads, feed, clock }: FirstBuyerDeps,
  mint: Address,
): SectionSource<FirstBuyerSection> {
  /** Positions and holdings are stored as they stand: the buys are read up to where these go. */
  async function readAll() {
    const buys = await reads.firstBuys(mint, feed.committedSlot, MAX_FIRST_BUYERS);
    const buyers = new FirstBuyers<FirstBuyRow>(MAX_FIRST_BUYERS, buys);
    // The next buyer may already have sold tokens that it was sent: without its position its figures would be wrong.
    const sellers = !buyers.full;
    const asked = { wallets: buyers.buys.map(({ trader }) => trader as Address), sellers, limit: MAX_POSITIONS };
    const [read, held] = await Promise.all([reads.positions(mint, asked), reads.holdings(mint, asked)]);
    return { buyers, read, held };
  }
  return {
    key: 'first-buyers',
    async load() {
      const { rows: all, slot } = await readSettled({ feed, clock }, readAll, ({ read, held }) =>
        newestSlotOf(held, newestSlotOf(read, 0)),
      );
      const { buyers, read, held } = all;
      const holdings = new Map<Address | '', HoldingRow>(held.map((row) => [row.wallet, row]));
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
        readAt: slot,
        get buys() {
          return buyers.buys;
        },
        rowsOf: (wallet) => ({ positions: inOrder(positions.get(wallet)), holding: holdings.get(wallet) }),
        get bytes() {
          // The feed brings whole swaps.
          return buyers.size * SWAP_BYTES + (count + holdings.size) * POSITION_BYTES;
        },
        apply(rows) {
          for (const swap of rows.swaps) if (swap.is_buy && !swap.protocol_actor) buyers.add(swap);
          for (const row of rows.positions) if (!buyers.full || buyers.has(row.trader)) take(row);
          // A holding moves on with every trade of its wallet: one of a wallet without a position is not missed yet.
          for (const row of rows.holdings) {
            const known = holdings.get(row.wallet);
            const isAsked = positions.has(row.wallet);
            if (isAsked && (known === undefined || comparePlaces(known, row) < 0)) holdings.set(row.wallet, row);
          }
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
