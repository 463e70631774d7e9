import { readBatch } from '../../books/mint-rows.ts';
import { comparePlaces } from '../../books/place.ts';
import type { Address } from '../../chain/address.ts';
import type { RowBatch } from '../../store/clickhouse/schema/row-batch.ts';
import type { ListPlace, ListWindow } from './mint-reads.ts';
import type { PlacesRead } from './page-walk.ts';

/** Changes that a batch made to the orders, so that they can be taken back. */
interface Step {
  readonly batch: RowBatch;
  /** Tokens it added to the newest. */
  readonly born: number;
  /** Places, before the batch, of the tokens it moved; undefined for those that were not in the order. */
  readonly before: ReadonlyMap<Address, ListPlace | undefined>;
  /** Places that the batch pushed out of the order, oldest first. */
  readonly dropped: readonly ListPlace[];
  readonly tradedComplete: boolean;
}

/** Both orders of the token list, oldest first, because what changes is at the end. */
export class MarketOrders {
  readonly #size: number;
  #newest: ListPlace[];
  #newestComplete: boolean;
  /** A map keeps the order in which keys were set: a token that trades moves to the end. */
  readonly #traded = new Map<Address, ListPlace>();
  #tradedComplete: boolean;
  /** Of batches that may still be withdrawn. */
  readonly #steps: Step[] = [];

  /** From the first `size + 1` places of each order, newest first: one more than is kept tells whether there is one. */
  constructor(size: number, newest: readonly ListPlace[], traded: readonly ListPlace[]) {
    this.#size = size;
    this.#newest = newest.slice(0, size).reverse();
    this.#newestComplete = newest.length <= size;
    this.#tradedComplete = traded.length <= size;
    this.#setTraded(traded.slice(0, size));
  }

  /** Takes the feed's next batch in. `held` is how many batches the feed holds now, this one included. */
  add(batch: RowBatch, held: number): void {
    const born: ListPlace[] = [];
    const traded: ListPlace[] = [];
    for (const [mint, { creations, swaps }] of readBatch(batch)) {
      if (mint === '') continue;
      const creation = creations[0];
      const swap = swaps.at(-1);
      if (creation !== undefined) born.push(placeOf(mint, creation));
      if (swap !== undefined) traded.push(placeOf(mint, swap));
    }
    this.#newest.push(...born.sort(compareListed));
    const tradedComplete = this.#tradedComplete;
    const before = this.#move(traded.sort(compareListed));
    // A token that came and went with one batch leaves nothing to put back.
    const dropped = this.#trim().filter(({ mint }) => !before.has(mint));
    this.#steps.push({ batch, born: born.length, before, dropped, tradedComplete });
    // Batches that the store has cannot be withdrawn.
    if (this.#steps.length > held) this.#steps.splice(0, this.#steps.length - held);
  }

  /** Undoes the batch that was added last. False when that was another, and the orders can no longer be trusted. */
  takeBack(batch: RowBatch): boolean {
    const step = this.#steps.pop();
    if (step?.batch !== batch) return false;
    if (step.born > 0) this.#newest.splice(-step.born);
    for (const mint of step.before.keys()) this.#traded.delete(mint);
    const returning = [...step.before.values()].filter((place) => place !== undefined);
    this.#setTraded([...step.dropped, ...this.#traded.values(), ...returning]);
    this.#tradedComplete = step.tradedComplete;
    return true;
  }

  /** The window's places, as far as the orders reach: they may end before the window does. */
  reach({ sort, cursor, limit }: Pick<ListWindow, 'sort' | 'cursor' | 'limit'>): PlacesRead {
    const oldestFirst = sort === 'newest' ? this.#newest : [...this.#traded.values()];
    const complete = sort === 'newest' ? this.#newestComplete : this.#tradedComplete;
    const places: ListPlace[] = [];
    let at = oldestFirst.length - 1;
    for (; at >= 0 && places.length < limit; at -= 1) {
      const place = oldestFirst[at]!;
      if (cursor === undefined || compareListed(place, cursor) < 0) places.push(place);
    }
    return { places, ends: complete && at < 0 };
  }

  #setTraded(places: readonly ListPlace[]): void {
    const inOrder = [...places].sort(compareListed);
    this.#traded.clear();
    for (const place of inOrder) this.#traded.set(place.mint, place);
  }

  #move(places: readonly ListPlace[]): Map<Address, ListPlace | undefined> {
    const before = new Map<Address, ListPlace | undefined>();
    for (const place of places) {
      const known = this.#traded.get(place.mint);
      // The orders may be ahead of the batch: the store that they were read from was.
      if (known !== undefined && comparePlaces(known, place) >= 0) continue;
      before.set(place.mint, known);
      this.#traded.delete(place.mint);
      this.#traded.set(place.mint, place);
    }
    return before;
  }

  #trim(): ListPlace[] {
    // Cut rarely: moving a whole array for every token would cost more than the tokens.
    if (this.#newest.length >= 2 * this.#size) {
      this.#newest = this.#newest.slice(-this.#size);
      this.#newestComplete = false;
    }
    const dropped: ListPlace[] = [];
    for (const [mint, place] of this.#traded) {
      if (this.#traded.size <= this.#size) break;
      this.#traded.delete(mint);
      this.#tradedComplete = false;
      dropped.push(place);
    }
    return dropped;
  }
}

function placeOf(mint: Address, row: Omit<ListPlace, 'mint'>): ListPlace {
  return { mint, slot: row.slot, block_index: row.block_index, ix_index: row.ix_index };
}

/** Positive when `a` is listed before `b`: it is newer, or has the smaller mint of one place. */
function compareListed(a: ListPlace, b: ListPlace): number {
  return comparePlaces(a, b) || (a.mint < b.mint ? 1 : a.mint > b.mint ? -1 : 0);
}
