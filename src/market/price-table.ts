/** Prices that are kept of a series: its newest one, and the last ones before the short windows begin. */
export type PriceName = 'newest' | 'five' | 'hour';

const PRICE_PLACES: Readonly<Record<PriceName, number>> = { newest: 0, five: 2, hour: 4 };
const ROW_NUMBERS = 6;
/** Rows of a page: a table grows by pages, because copying a large one would hold up everything. */
const PAGE_ROWS = 4_096;

/** Prices by row, in flat memory: 48 bytes a row. */
export class PriceTable {
  readonly #pages: Float64Array[] = [];

  /** Raw quote over raw token; 0 while none is known. */
  price(row: number, name: PriceName): number {
    return this.#pageOf(row)[placeOf(row, name)]!;
  }

  /** Slot of the swap that made the price; 0 while none is known. */
  slot(row: number, name: PriceName): number {
    return this.#pageOf(row)[placeOf(row, name) + 1]!;
  }

  set(row: number, name: PriceName, price: number, slot: number): void {
    const at = placeOf(row, name);
    const page = this.#pageOf(row);
    page[at] = price;
    page[at + 1] = slot;
  }

  /** Forgets all prices of a row. */
  clear(row: number): void {
    const at = (row % PAGE_ROWS) * ROW_NUMBERS;
    this.#pageOf(row).fill(0, at, at + ROW_NUMBERS);
  }

  #pageOf(row: number): Float64Array {
    const place = Math.floor(row / PAGE_ROWS);
    while (place >= this.#pages.length) this.#pages.push(new Float64Array(PAGE_ROWS * ROW_NUMBERS));
    return this.#pages[place]!;
  }
}

function placeOf(row: number, name: PriceName): number {
  return (row % PAGE_ROWS) * ROW_NUMBERS + PRICE_PLACES[name];
}
