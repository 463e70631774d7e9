import { listBody } from '../../books/json-text.ts';
import { comparePlaces, compareToCursor, type Place } from '../../books/place.ts';
import { firstIndex, type RowSpan } from '../../books/row-span.ts';
import { encodeSwapCursor, type SwapCursor } from '../../contract/swap-cursor.ts';

/** A row of the swaps answer with its place, ready to be sent. */
export interface PageRow extends Place {
  readonly json: Buffer;
}

/**
 * The page's rows out of several kinds, in the page's order, and one more when
 * there is one. Undefined when the spans do not reach far enough to tell.
 */
export function cutPage(spans: readonly RowSpan<PageRow>[], page: SwapPage): readonly PageRow[] | undefined {
  return page.order === 'desc' ? cutBackwards(spans, page) : cutForwards(spans, page);
}

function cutBackwards(spans: readonly RowSpan<PageRow>[], { cursor, limit }: SwapPage): PageRow[] | undefined {
  const ends = spans.map(({ rows }) =>
    cursor === undefined ? rows.length : firstIndex(rows, (row) => compareToCursor(row, cursor) >= 0),
  );
  const taken: PageRow[] = [];
  while (taken.length <= limit) {
    let newest = -1;
    for (let i = 0; i < spans.length; i += 1) {
      const row = spans[i]!.rows[ends[i]! - 1];
      if (row === undefined) {
        // A kind that ran out may have older rows that belong here.
        if (!spans[i]!.complete) return undefined;
      } else if (newest < 0 || comparePlaces(row, spans[newest]!.rows[ends[newest]! - 1]!) > 0) {
        newest = i;
      }
    }
    if (newest < 0) break;
    ends[newest]! -= 1;
    taken.push(spans[newest]!.rows[ends[newest]!]!);
  }
  return taken;
}

function cutForwards(spans: readonly RowSpan<PageRow>[], { cursor, limit }: SwapPage): PageRow[] | undefined {
  const runs: PageRow[] = [];
  for (const { rows, complete } of spans) {
    const start = cursor === undefined ? 0 : firstIndex(rows, (row) => compareToCursor(row, cursor) > 0);
    // Rows that were forgotten lie before the first kept one, and may lie after the cursor.
    if (start === 0 && !complete) return undefined;
    runs.push(...rows.slice(start, start + limit + 1));
  }
  return runs.sort(comparePlaces).slice(0, limit + 1);
}

/**
 * The page's rows out of what the store has of each kind (in the page's order,
 * `limit + 1` rows or all) and the newest rows, some of which the store may
 * not have yet.
 */
export function mergePage(
  stored: readonly (readonly PageRow[])[],
  spans: readonly RowSpan<PageRow>[],
  page: SwapPage,
): readonly PageRow[] {
  const { cursor, limit, order } = page;
  const sign = order === 'desc' ? -1 : 1;
  const newest = spans
    .flatMap((span) => span.rows)
    .filter((row) => cursor === undefined || sign * compareToCursor(row, cursor) > 0);
  const rows = [...stored.flat(), ...newest].sort((a, b) => sign * comparePlaces(a, b));
  return rows.filter((row, i) => i === 0 || comparePlaces(row, rows[i - 1]!) !== 0).slice(0, limit + 1);
}

/**
 * The answer's bytes from the rows of `cutPage` or `mergePage`. A descending page
 * names a next one only when there is one; an ascending page that holds rows
 * always does, so that a reader at the head can carry on from where it stood.
 */
export function swapPageBody(rows: readonly PageRow[], { order, limit }: SwapPage): Buffer {
  const shown = rows.length > limit ? rows.slice(0, limit) : rows;
  const last = shown.at(-1);
  const continues = last !== undefined && (order === 'asc' || rows.length > limit);
  return listBody(
    shown.map((row) => row.json),
    continues
      ? encodeSwapCursor({
          time: last.time,
          slot: last.slot,
          blockIndex: last.block_index,
          ixIndex: last.ix_index,
        })
      : undefined,
  );
}

export interface SwapPage {
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly cursor: SwapCursor | undefined;
  readonly failed: boolean;
  readonly transfers: boolean;
}
