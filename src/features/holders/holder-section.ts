import type { Section } from '../../books/book-set.ts';
import type { SectionSource } from '../../books/book-shelf.ts';
import type { MintRows } from '../../books/mint-rows.ts';
import { comparePlaces } from '../../books/place.ts';
import { firstIndex } from '../../books/row-span.ts';
import type { Address } from '../../chain/address.ts';
import type { HoldingRow, PositionRow } from '../../store/clickhouse/schema/tables.ts';
import type { SettledDeps } from '../../token/settled.ts';
import { estimateOf } from '../../token/wallet-balance.ts';
import { groupByWallet, type KnownHolder, rankHolders, sortHolders } from './holder-body.ts';
import { type HolderReads, type HolderRow, type LargestRows, readLargest } from './largest-reads.ts';

const ROW_BYTES = 400;

/** The largest holders, ranked when they are asked for. */
export interface HolderSection extends Section {
  /** Number of the first ranked holders that are sure: no wallet that was not read can stand above them. */
  readonly sure: number;
  /** Some wallet of the token has a balance that is not known. */
  readonly hasUnknown: boolean;
  ranked(): readonly KnownHolder[];
}

export interface HolderSectionDeps extends SettledDeps {
  readonly reads: HolderReads;
  /** Accounts that hold the mint and are nobody's. Another number of them makes another section. */
  readonly venues: readonly Address[];
}

export function holderSection(
  { reads, feed, clock, venues }: HolderSectionDeps,
  mint: Address,
  size: number,
): SectionSource<HolderSection> {
  return {
    key: `holders ${venues.length}`,
    async load() {
      const read = await readLargest(reads, { feed, clock }, mint, { wallets: size, venues });
      return new LargestSection(read, venues, size);
    },
    isWorthKeeping: () => true,
  };
}

class LargestSection implements HolderSection {
  /** No earlier than the slot that was asked for: the store has no older rows. */
  readonly readAt: number;
  readonly #rows: LargestHolders;
  readonly #size: number;
  readonly #venues: ReadonlySet<Address | ''>;
  /** Only in a token of one quote does a wallet's position tell its balance without the others. */
  readonly #quote: Address | '' | undefined;
  #seenUnknown: boolean;
  #ranked: readonly KnownHolder[] | undefined;
  #anyUnknown: boolean | undefined;

  constructor({ positions, holdings, slot, hasUnknown }: LargestRows, venues: readonly Address[], size: number) {
    this.readAt = slot;
    this.#rows = largestOf(positions, holdings, size);
    this.#size = size;
    this.#venues = new Set(venues);
    this.#quote = positions[0]?.mint_quotes === 1 ? positions[0].quote_mint : undefined;
    this.#seenUnknown = hasUnknown;
  }

  get bytes(): number {
    return (this.#rows.positions.size + this.#rows.holdings.size) * ROW_BYTES;
  }

  get sure(): number {
    const { floor } = this.#rows;
    return floor <= 0n ? Number.POSITIVE_INFINITY : firstIndex(this.ranked(), ({ balance }) => balance <= floor);
  }

  get hasUnknown(): boolean {
    const { whole, positions, holdings } = this.#rows;
    if (!whole) return this.#seenUnknown;
    // Of wallets that traded in several quotes, no position tells it alone.
    this.#anyUnknown ??= groupByWallet(positions.values(), holdings).some(({ balance }) => balance === undefined);
    return this.#anyUnknown;
  }

  ranked(): readonly KnownHolder[] {
    this.#ranked ??= rankHolders(this.#rows.positions.values(), this.#rows.holdings);
    return this.#ranked;
  }

  apply(rows: MintRows): boolean {
    const { whole, holdings, wallets } = this.#rows;
    if (!whole && rows.positions.some((row) => row.quote_mint !== this.#quote)) return false;
    const moved = new Map(rows.holdings.map((row) => [row.wallet, row]));
    for (const row of rows.positions) {
      if (this.#venues.has(row.trader)) continue;
      this.#take(row, estimateOf({ positions: [row], holding: moved.get(row.trader) ?? holdings.get(row.trader) }));
    }
    for (const row of rows.holdings) if (!this.#venues.has(row.wallet) && !this.#hold(row)) return false;
    // Wallets that came and went fill the maps: the largest are read again.
    return wallets.size <= 2 * this.#size;
  }

  /** Takes a position of a wallet that was read, or that now holds more than any that was not. */
  #take(row: PositionRow, balance: bigint | undefined): void {
    const { whole, floor, positions, wallets } = this.#rows;
    if (balance === undefined) this.#seenUnknown = true;
    if (!whole && !wallets.has(row.trader) && (balance === undefined || balance <= floor)) return;
    const known = positions.get(positionKey(row));
    if (known !== undefined && comparePlaces(known, row) >= 0) return;
    positions.set(positionKey(row), row);
    this.#changed(row.trader);
  }

  /** The same of a holding. False when a wallet that was not read comes to the largest by a movement alone: its trades are in the store. */
  #hold(row: HoldingRow): boolean {
    const { whole, floor, holdings, wallets } = this.#rows;
    if (!row.estimate_known) this.#seenUnknown = true;
    if (!whole && !wallets.has(row.wallet)) return !row.estimate_known || row.estimate <= floor;
    const known = holdings.get(row.wallet);
    if (known !== undefined && comparePlaces(known, row) >= 0) return true;
    holdings.set(row.wallet, row);
    this.#changed(row.wallet);
    return true;
  }

  #changed(wallet: Address | ''): void {
    this.#rows.wallets.add(wallet);
    this.#ranked = undefined;
    this.#anyUnknown = undefined;
  }
}

function positionKey({ trader, quote_mint }: PositionRow): string {
  return `${trader} ${quote_mint}`;
}

interface LargestHolders {
  readonly positions: Map<string, PositionRow>;
  readonly holdings: Map<Address | '', HoldingRow>;
  readonly wallets: Set<Address | ''>;
  /** Nobody ever traded the token, or moved it, but those read. */
  readonly whole: boolean;
  /** Wallets that were not read hold no more than this, raw units. */
  readonly floor: bigint;
}

/** The first `size` wallets of what was read: the largest traders and the largest holdings, of which all the largest are part. */
function largestOf(read: readonly HolderRow[], held: readonly HoldingRow[], size: number): LargestHolders {
  const holdings = new Map<Address | '', HoldingRow>(held.map((row) => [row.wallet, row]));
  const all = groupByWallet(read, holdings);
  const whole = all.length < size;
  const kept = whole ? all : sortHolders(all).slice(0, size);
  return {
    positions: new Map(kept.flatMap(({ positions }) => positions.map((row) => [positionKey(row), row]))),
    holdings: new Map(kept.flatMap(({ holding }) => (holding === undefined ? [] : [[holding.wallet, holding]]))),
    wallets: new Set(kept.map(({ trader }) => trader)),
    whole,
    floor: kept[size - 1]?.balance ?? 0n,
  };
}
