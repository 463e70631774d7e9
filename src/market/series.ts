import type { Address } from '../chain/address.ts';
import { noSums, type Sums } from './sums.ts';

/** Windows that slide: two exact to the second, one by minutes, one by hours. */
export type WindowName = 'five' | 'hour' | 'day' | 'week';

export type WindowSums = Readonly<Record<WindowName, Sums>>;

/** Venues that are told apart: launchpad, AMM, venues of equities. */
const VENUES = 3;

/** A price, and the slot of the swap that made it: 0 and 0 while none is known. */
export interface SlotPrice {
  /** Raw quote over raw token. */
  readonly price: number;
  readonly slot: number;
}

export const NO_PRICE: SlotPrice = { price: 0, slot: 0 };

/** Swaps of one token in one quote. */
export interface Series {
  readonly number: number;
  readonly mint: Address;
  /** '' is SOL. */
  readonly quote: Address | '';
  readonly sums: WindowSums;
  /** Of all that is held. */
  newest: SlotPrice;
  /** The last ones before the windows begin. */
  readonly before: { five: SlotPrice; hour: SlotPrice };
  /** Of the whole market in the same quote, by venue. */
  readonly market: readonly WindowSums[];
}

type Quotes = Map<Address | '', Series>;

/** Sums of the market in one quote, by venue, as long as any series is quoted in it. */
interface QuoteMarket {
  readonly venues: readonly WindowSums[];
  series: number;
}

/** All series that something is held of, and the sums of the market by quote and venue. */
export class SeriesBook {
  readonly #series: (Series | undefined)[] = [];
  /** References by number. */
  readonly #references: number[] = [];
  /** Numbers of series that were forgotten. */
  readonly #free: number[] = [];
  /** A map only where a token has several quotes: nearly none has. */
  readonly #ofMint = new Map<Address, Series | Quotes>();
  readonly #markets = new Map<Address | '', QuoteMarket>();

  get size(): number {
    return this.#series.length - this.#free.length;
  }

  /** The series, with one reference more. */
  take(mint: Address, quote: Address | ''): Series {
    const series = this.find(mint, quote) ?? this.#make(mint, quote);
    this.#references[series.number]! += 1;
    return series;
  }

  /** Adds a reference to a series that there is. */
  retain(series: Series): void {
    this.#references[series.number]! += 1;
  }

  /** Gives up a reference. Whatever nothing refers to is forgotten, its prices too. */
  release(series: Series): void {
    const { number, mint, quote } = series;
    this.#references[number]! -= 1;
    if (this.#references[number] !== 0) return;
    this.#series[number] = undefined;
    this.#free.push(number);
    const market = this.#markets.get(quote)!;
    market.series -= 1;
    if (market.series === 0) this.#markets.delete(quote);
    const known = this.#ofMint.get(mint);
    if (known instanceof Map && known.size > 1) known.delete(quote);
    else this.#ofMint.delete(mint);
  }

  at(number: number): Series {
    return this.#series[number]!;
  }

  find(mint: Address, quote: Address | ''): Series | undefined {
    const known = this.#ofMint.get(mint);
    if (known instanceof Map) return known.get(quote);
    return known?.quote === quote ? known : undefined;
  }

  /** Series of a token, one for each quote. */
  of(mint: Address): readonly Series[] {
    const known = this.#ofMint.get(mint);
    if (known === undefined) return [];
    return known instanceof Map ? [...known.values()] : [known];
  }

  *all(): IterableIterator<Series> {
    for (const series of this.#series) if (series !== undefined) yield series;
  }

  /** Sums of the market in a quote, by venue; undefined while nothing is held in it. */
  market(quote: Address | ''): readonly WindowSums[] | undefined {
    return this.#markets.get(quote)?.venues;
  }

  #make(mint: Address, quote: Address | ''): Series {
    const number = this.#free.pop() ?? this.#series.length;
    // Written out: an object made of others takes the engine twice the memory, and there are hundreds of thousands.
    const series: Series = {
      number,
      mint,
      quote,
      sums: noWindows(),
      newest: NO_PRICE,
      before: { five: NO_PRICE, hour: NO_PRICE },
      market: this.#joinMarket(quote),
    };
    this.#series[number] = series;
    this.#references[number] = 0;
    const others = this.#ofMint.get(mint);
    if (others === undefined) this.#ofMint.set(mint, series);
    else if (others instanceof Map) others.set(quote, series);
    else this.#ofMint.set(mint, new Map([others, series].map((each) => [each.quote, each])));
    return series;
  }

  /** The market that a new series is of. */
  #joinMarket(quote: Address | ''): readonly WindowSums[] {
    const market = this.#markets.get(quote) ?? { venues: Array.from({ length: VENUES }, noWindows), series: 0 };
    market.series += 1;
    this.#markets.set(quote, market);
    return market.venues;
  }
}

function noWindows(): WindowSums {
  return { five: noSums(), hour: noSums(), day: noSums(), week: noSums() };
}
