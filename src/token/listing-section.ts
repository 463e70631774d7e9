import type { Section } from '../books/book-set.ts';
import type { SectionSource } from '../books/book-shelf.ts';
import { gatherReads } from '../books/gather.ts';
import type { Address } from '../chain/address.ts';
import type { Clock } from '../kernel/clock.ts';
import type { SwapRow } from '../store/clickhouse/schema/tables.ts';
import { hourStart } from './list-row.ts';
import type { ListedToken, MinuteTrades } from './listed-reads.ts';
import { marketBytes } from './markets.ts';
import { foldToken } from './state.ts';

/** A token's rows and texts. */
const TOKEN_BYTES = 4_096;
const MINUTE_BYTES = 160;
const MINUTE_S = 60;
/** Tokens of the largest page: what one read tells of. */
const MAX_TOGETHER = 500;

/** List row of one token, kept up to date. */
export interface ListingSection extends Section {
  readonly token: ListedToken;
}

/** The question what lists tell of some mints, in the order given, with their minutes from `since` on. */
export interface ListingsRead {
  listTokens(mints: readonly Address[], mark: number, since: number): Promise<readonly ListedToken[]>;
}

/** Reads that are asked for in one turn are made as one. */
export type ListingReads = (mint: Address, mark: number) => Promise<ListedToken>;

export function listingSection(reads: ListingReads, mint: Address, clock: Clock): SectionSource<ListingSection> {
  return {
    key: 'listing',
    async load(mark) {
      let token = await reads(mint, mark);
      /** Newest slot whose new positions are counted. */
      let countedSlot = mark;
      return {
        get token() {
          return token;
        },
        get bytes() {
          return TOKEN_BYTES + marketBytes(token.facts) + token.minutes.length * MINUTE_BYTES;
        },
        apply(rows) {
          const born = rows.positions.filter(({ first_slot }) => first_slot > countedSlot).length;
          for (const { slot } of rows.positions) countedSlot = Math.max(countedSlot, slot);
          const minutes = foldMinutes(token.minutes, rows.swaps);
          token = {
            mint,
            facts: foldToken({ mint, ...token.facts }, rows),
            ...forgetMinutes(minutes, token.earlier, hourStart(Math.floor(clock.now() / 1000))),
            traders: token.traders + born,
          };
          return true;
        },
      };
    },
    isWorthKeeping: () => true,
  };
}

function foldMinutes(known: readonly MinuteTrades[], swaps: readonly SwapRow[]): readonly MinuteTrades[] {
  if (swaps.length === 0) return known;
  const minutes = [...known];
  for (const { time, quote_mint, quote_amount, price, priced } of swaps) {
    const start = time - (time % MINUTE_S);
    const at = minutes.findLastIndex((minute) => minute.start === start && minute.quote_mint === quote_mint);
    const minute = minutes[at] ?? { start, quote_mint, trades: 0, volume: 0n, close: 0 };
    const folded = {
      ...minute,
      trades: minute.trades + 1,
      volume: minute.volume + quote_amount,
      close: priced ? price : minute.close,
    };
    if (at < 0) minutes.push(folded);
    else minutes[at] = folded;
  }
  return minutes;
}

/** Of minutes that no list tells of any more only the last price is left. */
function forgetMinutes(
  minutes: readonly MinuteTrades[],
  earlier: ListedToken['earlier'],
  since: number,
): Pick<ListedToken, 'minutes' | 'earlier'> {
  if (minutes[0] === undefined || minutes[0].start >= since) return { minutes, earlier };
  const prices = new Map(earlier.map(({ quote_mint, price }) => [quote_mint, price]));
  for (const { start, quote_mint, close } of minutes) {
    if (start < since && close > 0) prices.set(quote_mint, close);
  }
  return {
    minutes: minutes.filter(({ start }) => start >= since),
    earlier: Array.from(prices, ([quote_mint, price]) => ({ quote_mint, price })),
  };
}

/** Gathers the reads of one turn of the event loop into one read over their mints. */
export function gatherListings(reads: ListingsRead, clock: Clock): ListingReads {
  return gatherReads((mints, mark) => reads.listTokens(mints, mark, hourStart(Math.floor(clock.now() / 1000))), {
    together: MAX_TOGETHER,
    waitMs: 0,
  });
}
