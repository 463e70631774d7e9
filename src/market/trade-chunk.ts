import type { Series } from './series.ts';
import { type Counts, highOf, lowOf } from './sums.ts';

/** A swap as windows count it. Layouts of the store's rows have these columns, and more. */
export interface CountedSwap<A = string> {
  readonly mint: A;
  /** '' is SOL. */
  readonly quote_mint: A | '';
  /** '' when nobody traded, as when a program buys and burns. */
  readonly trader: A | '';
  readonly venue: number;
  readonly is_buy: boolean;
  readonly protocol_actor: boolean;
  readonly quote_amount: bigint;
  /** Raw quote over raw token. */
  readonly price: number;
  readonly priced: boolean;
}

const BUY = 1;
const VENUE_SHIFT = 1;

/** Number that stands for nobody, where the protocol's own wallets traded or nobody did. */
export const NOBODY = 0xffff_ffff;

/** Swaps of one slot in order, as columns. */
export class TradeChunk {
  readonly slot: number;
  /** Unix seconds. */
  readonly time: number;
  readonly size: number;
  readonly series: Uint32Array;
  /** {@link NOBODY} is none. */
  readonly trader: Uint32Array;
  /** Raw quote units, in two parts as {@link Counts} have them. */
  readonly #low: Uint32Array;
  readonly #high: Uint32Array;
  /** 0 when the swap prices nothing. */
  readonly price: Float64Array;
  /** Price of the series before the swap, and its slot: what it was when the swap is taken out again. */
  readonly priceBefore: Float64Array;
  readonly slotBefore: Uint32Array;
  readonly #flags: Uint8Array;

  constructor(slot: number, time: number, size: number) {
    this.slot = slot;
    this.time = time;
    this.size = size;
    // One piece of memory for all columns: there is a chunk for every block, and each piece is work for the collector.
    const memory = new ArrayBuffer(size * SWAP_BYTES);
    this.price = new Float64Array(memory, 0, size);
    this.priceBefore = new Float64Array(memory, 8 * size, size);
    this.series = new Uint32Array(memory, 16 * size, size);
    this.trader = new Uint32Array(memory, 20 * size, size);
    this.#low = new Uint32Array(memory, 24 * size, size);
    this.#high = new Uint32Array(memory, 28 * size, size);
    this.slotBefore = new Uint32Array(memory, 32 * size, size);
    this.#flags = new Uint8Array(memory, 36 * size, size);
  }

  get bytes(): number {
    return CHUNK_BYTES + this.size * SWAP_BYTES;
  }

  set(at: number, series: Series, trader: number, swap: CountedSwap): void {
    this.series[at] = series.number;
    this.trader[at] = trader;
    const amount = swap.quote_amount;
    this.#low[at] = lowOf(amount);
    this.#high[at] = highOf(amount);
    this.price[at] = swap.priced ? swap.price : 0;
    this.#flags[at] = (swap.is_buy ? BUY : 0) | (swap.venue << VENUE_SHIFT);
  }

  isBuy(at: number): boolean {
    return (this.#flags[at]! & BUY) !== 0;
  }

  /** What the swap counts for, written over what stood there: an object for each of millions would all be garbage. */
  readCounts(at: number, counts: Counts): void {
    const isBuy = this.isBuy(at);
    counts.buys = isBuy ? 1 : 0;
    counts.sells = isBuy ? 0 : 1;
    counts.low = this.#low[at]!;
    counts.high = this.#high[at]!;
  }

  venue(at: number): number {
    return this.#flags[at]! >> VENUE_SHIFT;
  }

  /** Place of the first swap that prices a series; -1 without one. */
  firstPrice(series: number): number {
    let at = this.series.indexOf(series);
    while (at >= 0 && this.price[at] === 0) at = this.series.indexOf(series, at + 1);
    return at;
  }

  /** The last price of a series; 0 without one. */
  lastPrice(series: number): number {
    let at = this.series.lastIndexOf(series);
    while (at > 0 && this.price[at] === 0) at = this.series.lastIndexOf(series, at - 1);
    return at < 0 ? 0 : this.price[at]!;
  }

  setBefore(at: number, price: number, slot: number): void {
    this.priceBefore[at] = price;
    this.slotBefore[at] = slot;
  }
}

const SWAP_BYTES = 37;
/** Of eight columns and what they are views of. */
const CHUNK_BYTES = 1_000;
