import type { Address } from '../chain/address.ts';
import { Numbering } from './numbering.ts';
import { type PriceName, PriceTable, type SlotPrice } from './price-table.ts';
import { SumTable, type WindowName } from './sum-table.ts';
import type { Counts, Sums } from './sums.ts';

/** Venues that are told apart: launchpad, AMM, venues of equities. */
const VENUES = 3;

/** Swaps of one token in one quote. What they come to is in the book, by number. */
export interface Series {
  readonly number: number;
  readonly mint: Address;
  /** '' is SOL. */
  readonly quote: Address | '';
  /** Number of the token, the same in all quotes. */
  readonly token: number;
  /** Number of the market in the same quote. */
  readonly market: number;
}

/** Where swaps are counted. */
export interface CountedIn {
  readonly venue: number;
  readonly window: WindowName;
}

type Quotes = Map<Address | '', Series>;

/** All series that something is held of, and the sums of the market by quote and venue. */
export class SeriesBook {
  readonly #series: (Series | undefined)[] = [];
  /** References by number. */
  readonly #references: number[] = [];
  /** Numbers of series that were forgotten. */
  readonly #free: number[] = [];
  /** A map only where a token has several quotes: nearly none has. */
  readonly #ofMint = new Map<Address, Series | Quotes>();
  readonly #tokens = new Numbering<Address>();
  /** Quotes, as long as any series is quoted in them. */
  readonly #quotes = new Numbering<Address | ''>();
  readonly #sums = new SumTable();
  readonly #prices = new PriceTable();
  /** Of the whole market in a quote, a row for each venue. */
  readonly #markets = new SumTable();

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
    const { number, mint, quote, token, market } = series;
    this.#references[number]! -= 1;
    if (this.#references[number] !== 0) return;
    this.#series[number] = undefined;
    this.#free.push(number);
    this.#tokens.release(token);
    if (this.#quotes.release(market)) this.#clearMarket(market);
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

  /** Number of a token that any series is of. */
  tokenOf(mint: Address): number | undefined {
    return this.#tokens.numberOf(mint);
  }

  /** Adds swaps to a window of their series and of the market, or takes them out again. */
  count({ number, market }: Series, { venue, window }: CountedIn, counts: Readonly<Counts>, sign: 1 | -1): void {
    this.#sums.add(number, window, counts, sign);
    this.#markets.add(market * VENUES + venue, window, counts, sign);
  }

  sums({ number }: Series, window: WindowName): Sums {
    return this.#sums.sums(number, window);
  }

  /** Buys and sells. */
  swaps({ number }: Series, window: WindowName): number {
    return this.#sums.swaps(number, window);
  }

  /** Sums of the whole market in a quote, at a venue; undefined while nothing is held in that quote. */
  market(quote: Address | '', venue: number, window: WindowName): Sums | undefined {
    const market = this.#quotes.numberOf(quote);
    return market === undefined ? undefined : this.#markets.sums(market * VENUES + venue, window);
  }

  /** The newest price of all that is held, or the last one before a window begins. */
  price({ number }: Series, name: PriceName): SlotPrice {
    return this.#prices.get(number, name);
  }

  setPrice({ number }: Series, name: PriceName, price: SlotPrice): void {
    this.#prices.set(number, name, price);
  }

  #make(mint: Address, quote: Address | ''): Series {
    const number = this.#free.pop() ?? this.#series.length;
    const series: Series = { number, mint, quote, token: this.#tokens.take(mint), market: this.#quotes.take(quote) };
    this.#sums.clear(number);
    this.#prices.clear(number);
    this.#series[number] = series;
    this.#references[number] = 0;
    const others = this.#ofMint.get(mint);
    if (others === undefined) this.#ofMint.set(mint, series);
    else if (others instanceof Map) others.set(quote, series);
    else this.#ofMint.set(mint, new Map([others, series].map((each) => [each.quote, each])));
    return series;
  }

  #clearMarket(market: number): void {
    for (let venue = 0; venue < VENUES; venue += 1) this.#markets.clear(market * VENUES + venue);
  }
}
