import type { Section } from '../../books/book-set.ts';
import type { SectionSource } from '../../books/book-shelf.ts';
import { comparePlaces } from '../../books/place.ts';
import { firstIndex } from '../../books/row-span.ts';
import type { Address } from '../../chain/address.ts';
import type { PositionRow } from '../../store/clickhouse/schema/tables.ts';
import { type Holder, rankHolders } from './holder-body.ts';
import type { HolderReads } from './largest-reads.ts';

const POSITION_BYTES = 400;

/** The largest holders, ranked when they are asked for. */
export interface HolderSection extends Section {
  /** Number of the first ranked holders that are sure: no wallet that was not read can stand above them. */
  readonly sure: number;
  ranked(): readonly Holder[];
}

export function holderSection(reads: HolderReads, mint: Address, size: number): SectionSource<HolderSection> {
  return {
    key: 'holders',
    async load() {
      const read = await reads.holders(mint, size);
      const positions = new Map<string, PositionRow>(read.map((row) => [positionKey(row), row]));
      const traders = new Set(read.map(({ trader }) => trader));
      /** Nobody ever traded the token but those read. */
      const whole = traders.size < size;
      // Only in a token of one quote does a wallet's position tell its balance without the others.
      const quote = read[0]?.mint_quotes === 1 ? read[0].quote_mint : undefined;
      // Wallets that were not read hold no more than this.
      const floor = whole ? 0n : smallestBalance(read);
      let ranked: readonly Holder[] | undefined;
      const rank = () => {
        ranked ??= rankHolders(positions.values());
        return ranked;
      };
      const take = (row: PositionRow) => {
        const known = positions.get(positionKey(row));
        if (known === undefined && !whole && row.token_balance <= floor) return;
        if (known !== undefined && comparePlaces(known, row) >= 0) return;
        positions.set(positionKey(row), row);
        ranked = undefined;
      };
      return {
        get bytes() {
          return positions.size * POSITION_BYTES;
        },
        get sure() {
          return floor <= 0n ? Number.POSITIVE_INFINITY : firstIndex(rank(), ({ balance }) => balance <= floor);
        },
        ranked: rank,
        apply(rows) {
          if (!whole && rows.positions.some((row) => row.quote_mint !== quote)) return false;
          for (const row of rows.positions) take(row);
          // Wallets that came and went fill the map: the largest are read again.
          return positions.size <= 2 * size;
        },
      };
    },
    isWorthKeeping: () => true,
  };
}

function positionKey({ trader, quote_mint }: PositionRow): string {
  return `${trader} ${quote_mint}`;
}

function smallestBalance(positions: readonly PositionRow[]): bigint {
  const balances = new Map<string, bigint>();
  for (const { trader, token_balance } of positions) balances.set(trader, (balances.get(trader) ?? 0n) + token_balance);
  let smallest: bigint | undefined;
  for (const balance of balances.values()) if (smallest === undefined || balance < smallest) smallest = balance;
  return smallest ?? 0n;
}
