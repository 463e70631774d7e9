import { type Counts, carryOf, type Sums, sumsOf } from './sums.ts';

/** Windows that slide: two exact to the second, one by minutes, one by hours. */
export type WindowName = 'five' | 'hour' | 'day' | 'week';

const WINDOW_PLACES: Readonly<Record<WindowName, number>> = { five: 0, hour: 4, day: 8, week: 12 };
const [BUYS, SELLS, LOW, HIGH] = [0, 1, 2, 3];
const ROW_NUMBERS = 16;
/** Rows of a page: a table grows by pages, because copying a large one would hold up everything. */
const PAGE_ROWS = 4_096;
const LOW_END = 2 ** 32;

/** Sums of all windows by row, in flat memory: 128 bytes a row. */
export class SumTable {
  readonly #pages: Float64Array[] = [];

  /** Adds what was counted to a window of a row, or takes it out again. */
  add(row: number, window: WindowName, { buys, sells, low, high }: Readonly<Counts>, sign: 1 | -1): void {
    const page = this.#pageOf(row);
    const at = placeOf(row, window);
    page[at + BUYS]! += sign * buys;
    page[at + SELLS]! += sign * sells;
    const sum = page[at + LOW]! + sign * low;
    const carry = carryOf(sum);
    page[at + LOW] = sum - carry * LOW_END;
    page[at + HIGH]! += sign * high + carry;
  }

  sums(row: number, window: WindowName): Sums {
    const page = this.#pageOf(row);
    const at = placeOf(row, window);
    return sumsOf({ buys: page[at + BUYS]!, sells: page[at + SELLS]!, low: page[at + LOW]!, high: page[at + HIGH]! });
  }

  /** Buys and sells in a window of a row. */
  swaps(row: number, window: WindowName): number {
    const page = this.#pageOf(row);
    const at = placeOf(row, window);
    return page[at + BUYS]! + page[at + SELLS]!;
  }

  /** Makes all sums of a row 0. */
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

function placeOf(row: number, window: WindowName): number {
  return (row % PAGE_ROWS) * ROW_NUMBERS + WINDOW_PLACES[window];
}
