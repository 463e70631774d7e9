import type { Address } from '../chain/address.ts';
import { doubled, Numbering } from './numbering.ts';
import { type PriceName, PriceTable } from './price-table.ts';
import { SumTable, type WindowName } from './sum-table.ts';
import type { Counts, Sums } from './sums.ts';

/** Venues that are told apart: launchpad, AMM, venues of equities. */
const VENUES = 3;
/** Series that there is room for when a book is made. */
const FIRST_SERIES = 1_024;

/** Swaps of one token in one quote. What they come to is in the book, by number. */
export interface Series {
  readonly number: number;
  readonly mint: Address;
  /** '' is SOL. */
  readonly quote: Address | '';
}

/** Where swaps are counted: {@link countedIn} has one of each, because an object for each of millions would all be garbage. */
export interface CountedIn {
  readonly venue: number;
  readonly window: WindowName;
}

const PLACES: Readonly<Record<WindowName, readonly CountedIn[]>> = {
  five: placesOf('five'),
  hour: placesOf('hour'),
  day: placesOf('day'),
  week: placesOf('week'),
};

function placesOf(window: WindowName): CountedIn[] {
  return Array.from({ length: VENUES }, (_, venue) => ({ venue, window }));
}

/** Swaps on a venue in a window. */
export function countedIn(window: WindowName, venue: number): CountedIn {
  return PLACES[window][venue]!;
}

type Quotes = Map<Address | '', Series>;

/** All series that something is held of, and the sums of the market by quote and venue. */
export class SeriesBook {
  readonly #series: (Series | undefined)[] = [];
  /** By number: references, the token, which is the same in all quotes, and the market in the same quote. */
  #references: Uint32Array = new Uint32Array(FIRST_SERIES);
  #token: Uint32Array = new Uint32Array(FIRST_SERIES);
  #market: Uint32Array = new Uint32Array(FIRST_SERIES);
  /** Numbers of series that were forgotten. */
  readonly #free: number[] = [];
  /** By number of the token. A map only where a token has several quotes: nearly none has. */
  readonly #ofToken: (Series | Quotes | undefined)[] = [];
  readonly #tokens = new Numbering<Address>();
  /** Quotes, as long as any series is quoted in them. */
  readonly #quotes = new Numbering<Address | ''>();
  readonly #sums = new SumTable();
  /** By number. */
  readonly prices = new PriceTable();
  /** Of the whole market in a quote, a row for each venue. */
  readonly #markets = new SumTable();
  readonly #settlers: Partial<Record<WindowName, () => void>> = {};

  get size(): number {
    return this.#series.length - this.#free.length;
  }

  /** The series, with one reference more. */
  take(mint: Address, quote: Address | ''): Series {
    const series = this.find(mint, quote) ?? this.#make(mint, quote);
    this.#references[series.number]! += 1;
    return series;
  }

  /** Adds a reference to a series that there is, by its number. */
  retain(number: number): void {
    this.#references[number]! += 1;
  }

  /** Gives up a reference, by number of the series. Whatever nothing refers to is forgotten, its prices too. */
  release(number: number): void {
    this.#references[number]! -= 1;
    if (this.#references[number] !== 0) return;
    const [token, market] = [this.#token[number]!, this.#market[number]!];
    const known = this.#ofToken[token];
    if (known instanceof Map && known.size > 1) known.delete(this.#series[number]!.quote);
    else this.#ofToken[token] = undefined;
    this.#series[number] = undefined;
    this.#free.push(number);
    this.#tokens.release(token);
    if (this.#quotes.release(market)) this.#clearMarket(market);
  }

  at(number: number): Series {
    return this.#series[number]!;
  }

  find(mint: Address, quote: Address | ''): Series | undefined {
    const known = this.#ofMint(mint);
    if (known instanceof Map) return known.get(quote);
    return known?.quote === quote ? known : undefined;
  }

  /** Series of a token, one for each quote. */
  of(mint: Address): readonly Series[] {
    const known = this.#ofMint(mint);
    if (known === undefined) return [];
    return known instanceof Map ? [...known.values()] : [known];
  }

  *all(): IterableIterator<Series> {
    for (const series of this.#series) if (series !== undefined) yield series;
  }

  /** Number of the token of a series. */
  token(number: number): number {
    return this.#token[number]!;
  }

  /** Number of a token that any series is of. */
  tokenOf(mint: Address): number | undefined {
    return this.#tokens.numberOf(mint);
  }

  /** Adds swaps to a window of their series, by its number, and of the market, or takes them out again. */
  count(number: number, { venue, window }: CountedIn, counts: Readonly<Counts>, sign: 1 | -1): void {
    this.#sums.add(number, window, counts, sign);
    this.#markets.add(this.#market[number]! * VENUES + venue, window, counts, sign);
  }

  /** Some of what leaves a window may be counted later: `settle` counts it, and is called before sums are read. */
  settleBefore(window: WindowName, settle: () => void): void {
    this.#settlers[window] = settle;
  }

  sums({ number }: Series, window: WindowName): Sums {
    this.#settlers[window]?.();
    return this.#sums.sums(number, window);
  }

  /** Buys and sells. */
  swaps({ number }: Series, window: WindowName): number {
    this.#settlers[window]?.();
    return this.#sums.swaps(number, window);
  }

  /** Sums of the whole market in a quote, at a venue; undefined while nothing is held in that quote. */
  market(quote: Address | '', venue: number, window: WindowName): Sums | undefined {
    this.#settlers[window]?.();
    const market = this.#quotes.numberOf(quote);
    return market === undefined ? undefined : this.#markets.sums(market * VENUES + venue, window);
  }

  /** The newest price of all that is held, or the last one before a window begins; 0 while none is known. */
  price({ number }: Series, name: PriceName): number {
    return this.prices.price(number, name);
  }

  #ofMint(mint: Address): Series | Quotes | undefined {
    const token = this.#tokens.numberOf(mint);
    return token === undefined ? undefined : this.#ofToken[token];
  }

  #make(mint: Address, quote: Address | ''): Series {
    const number = this.#free.pop() ?? this.#series.length;
    if (number === this.#references.length) this.#grow();
    const series: Series = { number, mint, quote };
    const token = this.#tokens.take(mint);
    this.#token[number] = token;
    this.#market[number] = this.#quotes.take(quote);
    this.#sums.clear(number);
    this.prices.clear(number);
    this.#series[number] = series;
    this.#references[number] = 0;
    const others = this.#ofToken[token];
    if (others === undefined) this.#ofToken[token] = series;
    else if (others instanceof Map) others.set(quote, series);
    else this.#ofToken[token] = new Map([others, series].map((each) => [each.quote, each]));
    return series;
  }

  #grow(): void {
    this.#references = doubled(this.#references);
    this.#token = doubled(this.#token);
    this.#market = doubled(this.#market);
  }

  #clearMarket(market: number): void {
    for (let venue = 0; venue < VENUES; venue += 1) this.#markets.clear(market * VENUES + venue);
  }
}
