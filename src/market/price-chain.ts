import type { ChunkList } from './chunk-list.ts';
import type { Series, SeriesBook } from './series.ts';
import { SlotList } from './slot-list.ts';
import type { TradeChunk } from './trade-chunk.ts';

/** A swap that prices its series: its chunk, the chunk's place, and its own place in the chunk. */
interface PricedSwap {
  readonly chunk: TradeChunk;
  readonly place: number;
  readonly at: number;
}

/** Where a window begins: at the chunk of this place. */
interface Beginning {
  readonly name: 'five' | 'hour';
  readonly first: number;
}

/**
 * Prices of each series in order: every swap that prices one knows the price before it, and every series the last price
 * before each window begins. What comes late goes between those before and behind it. The slots that price a series are
 * listed, so that nothing has to be looked for among all that is held.
 */
export class PriceChain {
  readonly #book: SeriesBook;
  readonly #chunks: ChunkList;
  readonly #windows: readonly Beginning[];
  /** By number of the series. */
  readonly #slots: (SlotList | undefined)[] = [];

  constructor(book: SeriesBook, chunks: ChunkList, windows: readonly Beginning[]) {
    this.#book = book;
    this.#chunks = chunks;
    this.#windows = windows;
  }

  /** Puts the prices of the chunk at `place` between those before and behind them. */
  add(place: number): void {
    const chunk = this.#chunks.at(place)!;
    const { prices } = this.#book;
    const behind = this.#pricesBehind(chunk);
    for (let at = 0; at < chunk.size; at += 1) {
      if (chunk.price[at] === 0) continue;
      const number = chunk.series[at]!;
      const price = chunk.price[at]!;
      const next = behind?.get(number);
      if (next === undefined) {
        chunk.setBefore(at, prices.price(number, 'newest'), prices.slot(number, 'newest'));
        prices.set(number, 'newest', price, chunk.slot);
      } else {
        chunk.setBefore(at, next.chunk.priceBefore[next.at]!, next.chunk.slotBefore[next.at]!);
        next.chunk.setBefore(next.at, price, chunk.slot);
      }
      for (const { name, first } of this.#windows) {
        // It is the last one before the window when the next one lies inside.
        if (place < first && (next === undefined || next.place >= first)) prices.set(number, name, price, chunk.slot);
      }
      this.#slotsOf(number).add(chunk.slot);
    }
  }

  /** The other way round, before the chunk at `place` goes. */
  remove(place: number): void {
    const chunk = this.#chunks.at(place)!;
    const { prices } = this.#book;
    const behind = this.#pricesBehind(chunk);
    for (let at = chunk.size - 1; at >= 0; at -= 1) {
      if (chunk.price[at] === 0) continue;
      const number = chunk.series[at]!;
      const next = behind?.get(number);
      const [price, slot] = [chunk.priceBefore[at]!, chunk.slotBefore[at]!];
      if (next === undefined) prices.set(number, 'newest', price, slot);
      else next.chunk.setBefore(next.at, price, slot);
      for (const { name, first } of this.#windows) {
        if (place < first && (next === undefined || next.place >= first)) prices.set(number, name, price, slot);
      }
    }
    this.forget(chunk);
  }

  /** Lets the oldest chunk go: prices behind it still know what was before them. */
  forget(chunk: TradeChunk): void {
    for (let at = 0; at < chunk.size; at += 1) {
      if (chunk.price[at] === 0) continue;
      const number = chunk.series[at]!;
      const slots = this.#slots[number];
      slots?.remove(chunk.slot);
      if (slots?.size === 0) this.#slots[number] = undefined;
    }
  }

  /** The last price of a series in slots behind one and up to another; 0 where none prices it. */
  lastWithin({ number }: Series, behind: number, upTo: number): number {
    const slot = this.#slots[number]?.upTo(upTo);
    return slot === undefined || slot <= behind ? 0 : this.#chunks.find(slot)!.lastPrice(number);
  }

  /** Notes a price from before everything that is held: it is what the series had before, unless something newer is known. */
  noteEarlier({ number }: Series, price: number, slot: number): void {
    const { prices } = this.#book;
    for (const name of ['newest', ...this.#windows.map((window) => window.name)] as const) {
      if (prices.slot(number, name) <= slot) prices.set(number, name, price, slot);
    }
    const first = this.#slots[number]?.first;
    if (first === undefined) return;
    const { chunk, at } = this.#firstPrice(number, first);
    if (chunk.slotBefore[at]! <= slot) chunk.setBefore(at, price, slot);
  }

  /** The first price behind a chunk, of each of its series that has one. */
  #pricesBehind(chunk: TradeChunk): ReadonlyMap<number, PricedSwap> | undefined {
    // Nearly always it is the newest, and nothing is behind it.
    if (this.#chunks.at(this.#chunks.size - 1) === chunk) return undefined;
    const found = new Map<number, PricedSwap>();
    for (const number of new Set(chunk.series)) {
      const slot = this.#slots[number]?.behind(chunk.slot);
      if (slot !== undefined) found.set(number, this.#firstPrice(number, slot));
    }
    return found;
  }

  /** The first swap of a slot that prices a series. */
  #firstPrice(series: number, slot: number): PricedSwap {
    const place = this.#chunks.placeOf(slot);
    const chunk = this.#chunks.at(place)!;
    return { chunk, place, at: chunk.firstPrice(series) };
  }

  #slotsOf(number: number): SlotList {
    const known = this.#slots[number];
    if (known !== undefined) return known;
    const slots = new SlotList();
    this.#slots[number] = slots;
    return slots;
  }
}
