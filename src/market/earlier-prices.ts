import type { Address } from '../chain/address.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Pair, WindowReads } from './market-reads.ts';
import type { MarketWindows } from './market-windows.ts';
import type { Series } from './series.ts';

/** Tokens in a quote that are asked for at once. */
const PAIRS_AT_ONCE = 500;
/** Nothing is asked for so long behind an answer that did not come. */
const REST_MS = 1_000;
const SLOT_SHIFT = 32n;
const MINUTE_S = 60;

/**
 * The last prices before the hour, of tokens that are traded in it: each is asked for once, when its first swap
 * comes. Until the store has answered nobody knows whether a price changed. When it does not answer, fewer are asked for
 * at once, down to one, and what was asked for goes behind what was not.
 */
export class EarlierPrices {
  readonly #windows: MarketWindows;
  readonly #clock: Clock;
  /** Series whose earlier prices are known, or asked for. What is not traded for a week is another series when it is again. */
  readonly #known = new WeakSet<Series>();
  readonly #wanted = new Set<Series>();
  #atOnce = PAIRS_AT_ONCE;
  #restsUntil = Number.NEGATIVE_INFINITY;

  constructor(windows: MarketWindows, clock: Clock) {
    this.#windows = windows;
    this.#clock = clock;
    for (const series of windows.book.all()) if (windows.book.swaps(series, 'hour') > 0) this.#want(series);
  }

  /** True while prices are to be asked for, and may be. */
  get hasWork(): boolean {
    return this.#wanted.size > 0 && this.#clock.elapsed() >= this.#restsUntil;
  }

  /** Tokens that are traded in a slot. */
  note(slot: number): void {
    const { book, hour } = this.#windows;
    for (const number of hour.find(slot)?.series ?? []) this.#want(book.at(number));
  }

  /** Tokens whose earlier rows are others than were read. */
  forget(mints: Iterable<Address>): void {
    for (const mint of mints) {
      for (const series of this.#windows.book.of(mint)) {
        this.#known.delete(series);
        this.#want(series);
      }
    }
  }

  /** Asks for what is wanted, some of it, of a store that answers up to `mark`. */
  async ask(reads: WindowReads, mark: number): Promise<void> {
    const asked = [...this.#wanted].slice(0, this.#atOnce);
    for (const series of asked) this.#wanted.delete(series);
    try {
      const before = this.#windows.hour.heldSince;
      const slots = await reads.slots(mark, { since: before - (before % MINUTE_S), until: before });
      const pairs = asked.map(({ mint, quote }): Pair => ({ mint, quote }));
      const rows = await reads.prices(pairs, { ...slots, before });
      this.#windows.noteEarlier(
        rows.map(({ mint, quote_mint, at, price }) => ({
          ...{ mint, quote: quote_mint, price },
          slot: Number(at >> SLOT_SHIFT),
        })),
      );
      this.#atOnce = Math.min(2 * this.#atOnce, PAIRS_AT_ONCE);
    } catch (error) {
      for (const series of asked) this.#wanted.add(series);
      this.#atOnce = Math.max(1, asked.length >> 1);
      this.#restsUntil = this.#clock.elapsed() + REST_MS;
      throw error;
    }
  }

  #want(series: Series): void {
    if (this.#known.has(series)) return;
    this.#known.add(series);
    this.#wanted.add(series);
  }
}
