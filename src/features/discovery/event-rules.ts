import { comparePlaces, type Place } from '../../books/place.ts';
import type { Address } from '../../chain/address.ts';
import { AMM, BONDING_CURVE } from '../../facts/venue.ts';
import type { SwapRow, TokenGraduationRow } from '../../store/clickhouse/schema/tables.ts';
import { EVENT_MIN_SOL, MAX_EVENTS } from './contract-limits.ts';

/** A trade of some size, or a graduation. */
export interface ListedEvent extends Place {
  readonly mint: Address;
  /** '' where it is not known. */
  readonly actor: Address | '';
  /** Undefined for a graduation. */
  readonly trade: TradeSize | undefined;
  /** Known from a transaction without its whole block. */
  readonly partial: boolean;
}

export interface ListedTrade extends ListedEvent {
  readonly trade: TradeSize;
}

/** Side and lamports of a trade, with its class of size, by which most are told apart before lamports are compared. */
export interface TradeSize {
  readonly isBuy: boolean;
  readonly lamports: bigint;
  readonly size: number;
}

/** Age of the oldest events that are listed, seconds: they are as old as that or younger. */
export const EVENTS_S = 86_400;

/** The swap as it is listed; undefined for one that is too small, of no known time, not in SOL, elsewhere, or the protocol's own. */
export function listedTrade(row: EventSwap): ListedTrade | undefined {
  const { mint, trader, is_buy, quote_amount, partial } = row;
  if (row.time === 0) return undefined;
  if (row.venue !== BONDING_CURVE && row.venue !== AMM) return undefined;
  if (row.quote_mint !== '' || row.protocol_actor || quote_amount < EVENT_MIN_SOL.least) return undefined;
  const trade = { isBuy: is_buy, lamports: quote_amount, size: sizeClass(quote_amount) };
  return { ...placeOf(row), mint, actor: trader, trade, partial };
}

export type EventSwap = Pick<
  SwapRow,
  | 'mint'
  | 'slot'
  | 'block_index'
  | 'ix_index'
  | 'time'
  | 'partial'
  | 'venue'
  | 'trader'
  | 'is_buy'
  | 'quote_mint'
  | 'quote_amount'
  | 'protocol_actor'
>;

/** The graduation as it is listed; undefined for one of no known time. */
export function listedGraduation(row: EventGraduation): ListedEvent | undefined {
  if (row.time === 0) return undefined;
  return { ...placeOf(row), mint: row.mint, actor: row.user, trade: undefined, partial: row.partial };
}

export type EventGraduation = Pick<
  TokenGraduationRow,
  'mint' | 'slot' | 'block_index' | 'ix_index' | 'time' | 'partial' | 'user'
>;

function placeOf({ slot, block_index, ix_index, time }: Place): Place {
  return { slot, block_index, ix_index, time };
}

/** Trades of one class of size: from a power of two lamports to below the next. */
export function sizeClass(lamports: bigint): number {
  return lamports.toString(2).length - 1;
}

/** The lamports of the largest trades that were looked at, as many as the longest list has rows. */
export class LargestTrades {
  /** Least first. */
  readonly #lamports: bigint[] = [];

  /** True when a list is full without an older trade of this size, whatever size it begins with. */
  outdo(lamports: bigint): boolean {
    return this.#lamports.length === MAX_EVENTS && this.#lamports[0]! >= lamports;
  }

  add(lamports: bigint): void {
    let low = 0;
    for (let high = this.#lamports.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (this.#lamports[middle]! < lamports) low = middle + 1;
      else high = middle;
    }
    this.#lamports.splice(low, 0, lamports);
    if (this.#lamports.length > MAX_EVENTS) this.#lamports.shift();
  }

  /** Lamports that an older trade has to be above to be in any list; 0 while every trade is in one. */
  get bar(): bigint {
    return this.#lamports.length === MAX_EVENTS ? this.#lamports[0]! : 0n;
  }
}

/** Events in the order of the chain, each place once. */
export function inOrder<T extends ListedEvent>(events: readonly T[]): T[] {
  const sorted = events.toSorted(comparePlaces);
  return sorted.filter((event, place) => place === 0 || comparePlaces(event, sorted[place - 1]!) !== 0);
}
