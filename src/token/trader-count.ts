import type { Address } from '../chain/address.ts';
import type { PositionRow } from '../store/clickhouse/schema/tables.ts';

/** All wallets of a token are held by name up to so many, whatever it is traded in. */
export const FEW_WALLETS = 32;
/** The same of a token that is traded in several quotes. */
export const MOST_WALLETS = 20_000;
const WALLET_BYTES = 130;
/** So many slots behind the first position in a second quote the store knows of it: about a minute. */
const STORED_SLOTS = 150;

/** Who traded a token up to a slot, as far as it is known by number and by name. */
export interface KnownTraders {
  /** Distinct wallets. */
  readonly count: number;
  /** Quotes that they traded it in. */
  readonly quotes: number;
  /** The only one of these, when it is one. */
  readonly quote: Address | '';
  /** All of the wallets; undefined where these are not held by name. */
  readonly wallets: readonly Address[] | undefined;
}

export const NO_TRADERS: KnownTraders = { count: 0, quotes: 0, quote: '', wallets: [] };

type Opened = Pick<PositionRow, 'slot' | 'quote_mint' | 'trader'>;

/**
 * Counts distinct wallets that ever traded a token while positions are opened. A wallet has a position in each quote: as
 * long as a token is traded in one, every new position is a new wallet. Of a token in several quotes, and of one with few
 * wallets, all of them are held by name. Two cases are left in which a wallet counts once more that was known before and
 * trades the token in another quote for the first time: about a minute long, of a token that gets its second quote; and
 * until it is read again, of one with more than {@link MOST_WALLETS} wallets.
 */
export class TraderCount {
  #count: number;
  #quotes: number;
  #quote: Address | '';
  /** All wallets; undefined where these are not held. */
  #wallets: Set<Address | ''> | undefined;
  /** Those that opened a position since the token was read, where not all are held. */
  readonly #newest = new Set<Address | ''>();
  /** Slot of the first position in a second quote, of a token whose wallets are not held for want of it. */
  #secondQuoteSlot: number | undefined;

  constructor({ count, quotes, quote, wallets }: KnownTraders) {
    this.#count = count;
    this.#quotes = quotes;
    this.#quote = quote;
    this.#wallets = wallets === undefined ? undefined : new Set(wallets);
  }

  get count(): number {
    return this.#count;
  }

  get bytes(): number {
    return ((this.#wallets?.size ?? 0) + this.#newest.size) * WALLET_BYTES;
  }

  /** Counts who opened these positions. False when the token is to be read again, because its wallets can be had by name. */
  add(opened: readonly Opened[]): boolean {
    for (const each of opened) {
      this.#noteQuote(each);
      if (this.#isNew(each.trader)) this.#count += 1;
      if (each.slot >= (this.#secondQuoteSlot ?? Number.POSITIVE_INFINITY) + STORED_SLOTS) return false;
    }
    return true;
  }

  #noteQuote({ quote_mint, slot }: Opened): void {
    if (this.#quotes === 0) {
      this.#quotes = 1;
      this.#quote = quote_mint;
    } else if (this.#quotes === 1 && quote_mint !== this.#quote) {
      this.#quotes = 2;
      if (this.#wallets === undefined) this.#secondQuoteSlot = slot;
    }
  }

  #isNew(trader: Address | ''): boolean {
    if (this.#wallets === undefined) {
      // In one quote a new position is a new wallet.
      if (this.#quotes < 2) return true;
      const { size } = this.#newest;
      return this.#newest.add(trader).size > size;
    }
    const { size } = this.#wallets;
    const isNew = this.#wallets.add(trader).size > size;
    const most = this.#quotes < 2 ? FEW_WALLETS : MOST_WALLETS;
    if (this.#wallets.size > most) this.#wallets = undefined;
    return isNew;
  }
}
