import type { ChunkList } from './chunk-list.ts';
import type { SlotPrice } from './price-table.ts';
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
    const behind = this.#pricesBehind(chunk);
    for (let at = 0; at < chunk.size; at += 1) {
      if (chunk.price[at] === 0) continue;
      const number = chunk.series[at]!;
      const own: SlotPrice = { price: chunk.price[at]!, slot: chunk.slot };
      const series = this.#book.at(number);
      const next = behind?.get(number);
      if (next === undefined) {
        chunk.setBefore(at, this.#book.price(series, 'newest'));
        this.#book.setPrice(series, 'newest', own);
      } else {
        chunk.setBefore(at, next.chunk.before(next.at));
        next.chunk.setBefore(next.at, own);
      }
      for (const { name, first } of this.#windows) {
        // It is the last one before the window when the next one lies inside.
        if (place < first && (next === undefined || next.place >= first)) this.#book.setPrice(series, name, own);
      }
      this.#slotsOf(number).add(chunk.slot);
    }
  }

  /** The other way round, before the chunk at `place` goes. */
  remove(place: number): void {
    const chunk = this.#chunks.at(place)!;
    const behind = this.#pricesBehind(chunk);
    for (let at = chunk.size - 1; at >= 0; at -= 1) {
      if (chunk.price[at] === 0) continue;
      const series = this.#book.at(chunk.series[at]!);
      const next = behind?.get(series.number);
      const before = chunk.before(at);
      if (next === undefined) this.#book.setPrice(series, 'newest', before);
      else next.chunk.setBefore(next.at, before);
      for (const { name, first } of this.#windows) {
        if (place < first && (next === undefined || next.place >= first)) this.#book.setPrice(series, name, before);
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
  noteEarlier(series: Series, own: SlotPrice): void {
    for (const name of ['newest', ...this.#windows.map((window) => window.name)] as const) {
      if (this.#book.price(series, name).slot <= own.slot) this.#book.setPrice(series, name, own);
    }
    const first = this.#slots[series.number]?.first;
    if (first === undefined) return;
    const { chunk, at } = this.#firstPrice(series.number, first);
    if (chunk.slotBefore[at]! <= own.slot) chunk.setBefore(at, own);
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
