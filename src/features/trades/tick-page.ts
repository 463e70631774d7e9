import { comparePlaces, type Place } from '../../books/place.ts';
import { firstIndex, type RowSpan } from '../../books/row-span.ts';
import type { Address } from '../../chain/address.ts';
import { decodeTickCursor, encodeTickCursor } from '../../contract/tick-cursor.ts';
import { UNKNOWN_DECIMALS } from '../../store/clickhouse/schema/codes.ts';
import { ratioPrice } from '../../token/price-string.ts';
import { knownQuoteDecimals, quoteUnitText } from '../../token/row-json.ts';
import type { TickRow } from './tick-reads.ts';

/** Swaps of one page, oldest first, and whether an earlier one exists. */
export interface TickCut {
  readonly swaps: readonly TickRow[];
  readonly historyStart: boolean;
}

/** Facts of the token that the answer gives beside its swaps. */
export interface TickSubject {
  readonly mint: Address;
  readonly quote: Address | '';
  /** Of the quote, as far as the token as it stands tells. */
  readonly quoteDecimals: number | undefined;
  /** Undefined while the creation was not seen: then no trade is known to be the creator's. */
  readonly creator: Address | undefined;
}

/** The page out of the newest swaps; undefined when they do not reach far enough to tell. */
export function cutTicks({ rows, complete }: RowSpan<TickRow>, page: TickPage): TickCut | undefined {
  const after = cursorPlace(page.after);
  if (after !== undefined) {
    const start = firstIndex(rows, (row) => comparePlaces(row, after) > 0);
    if (start === 0 && !complete) return undefined;
    return { swaps: rows.slice(start, start + page.limit), historyStart: start === 0 };
  }
  const before = cursorPlace(page.before);
  const end = before === undefined ? rows.length : firstIndex(rows, (row) => comparePlaces(row, before) >= 0);
  const start = Math.max(0, end - page.limit);
  if (start === 0 && !complete) return undefined;
  return { swaps: rows.slice(start, end), historyStart: start === 0 };
}

/**
 * The page out of what the store has towards it (one row more than the page
 * holds, and the very first row there is when the page looks forward) and the
 * newest swaps, some of which the store may not have yet.
 */
export function mergeTicks(stored: readonly TickRow[], newest: RowSpan<TickRow>, page: TickPage): TickCut {
  const sorted = [...stored, ...newest.rows].sort(comparePlaces);
  const rows = sorted.filter((row, i) => i === 0 || comparePlaces(row, sorted[i - 1]!) !== 0);
  // Rows may be missing in between, but none that the page could hold.
  return cutTicks({ rows, complete: true }, page) ?? { swaps: [], historyStart: true };
}

/** A tick cursor as a place; undefined without one. The route has refused malformed ones. */
export function cursorPlace(cursor: string | undefined): Omit<Place, 'time'> | undefined {
  const decoded = cursor === undefined ? undefined : decodeTickCursor(cursor);
  if (decoded === undefined) return undefined;
  return { slot: decoded.slot, block_index: decoded.blockIndex, ix_index: decoded.ixIndex };
}

/** The answer's bytes. Prices and amounts are written as exact decimals. */
export function ticksBody(subject: TickSubject, cut: TickCut, page: TickPage): Buffer {
  const { swaps } = cut;
  const decimals = subject.quoteDecimals ?? swaps.map(knownQuoteDecimals).find((known) => known !== undefined);
  const t: number[] = [];
  const p: string[] = [];
  const s: number[] = [];
  const a: string[] = [];
  const dev: number[] = [];
  for (const [index, swap] of swaps.entries()) {
    t.push(swap.time * 1000);
    p.push(tickPrice(swap, decimals ?? 0));
    s.push(swap.is_buy ? 1 : 0);
    a.push(ratioPrice({ quote: swap.quote_amount, token: 1n, quoteDecimals: decimals ?? 0, tokenDecimals: 0 }));
    if (swap.trader === subject.creator) dev.push(index);
  }
  const older = swaps[0] === undefined ? page.before : tickCursor(swaps[0]);
  const newer = swaps[0] === undefined ? page.after : tickCursor(swaps.at(-1)!);
  return Buffer.from(
    `{"mint":"${subject.mint}","quote_mint":"${subject.quote}"` +
      quoteUnitText(subject.quote, decimals) +
      `,"t":[${t}],"p":[${p}],"s":[${s}],"a":[${a}],"dev":[${dev}]` +
      (older === undefined ? '' : `,"older":"${older}"`) +
      (newer === undefined ? '' : `,"newer":"${newer}"`) +
      `,"history_start":${cut.historyStart}}`,
  );
}

function tickPrice(swap: TickRow, quoteDecimals: number): string {
  const tokenDecimals = swap.token_decimals === UNKNOWN_DECIMALS ? 0 : swap.token_decimals;
  return ratioPrice({ quote: swap.price_quote, token: swap.price_token, quoteDecimals, tokenDecimals });
}

function tickCursor({ slot, block_index, ix_index }: Place): string {
  return encodeTickCursor({ slot, blockIndex: block_index, ixIndex: ix_index });
}

export interface TickPage {
  readonly quote: Address | '' | undefined;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly limit: number;
}
