import type { Section } from '../../books/book-set.ts';
import type { SectionSource } from '../../books/book-shelf.ts';
import type { MintRows } from '../../books/mint-rows.ts';
import type { Place } from '../../books/place.ts';
import { type RowSpan, RowTail } from '../../books/row-span.ts';
import type { Address } from '../../chain/address.ts';
import { attemptJson, swapJson, transferJson } from '../../token/row-json.ts';
import type { RowReads, RowWindow } from '../../token/row-reads.ts';
import type { PageRow } from './swap-page.ts';

/** A row's place, its Buffer object and the slots of the list, beside the text itself. */
const ROW_OVERHEAD_BYTES = 160;

export type RowKind = 'swaps' | 'attempts' | 'transfers';

/** The newest rows of one kind, written out. */
export interface RowSection extends Section {
  readonly span: RowSpan<PageRow>;
}

/** Functions that read, take and write rows of one kind. */
interface RowForm<T extends Place> {
  read(mark: number, window: RowWindow): Promise<readonly T[]>;
  take(rows: MintRows): readonly T[];
  write(row: T): string;
}

export function rowSection(
  reads: RowReads,
  mint: Address,
  kind: RowKind,
  creator: Address | undefined,
  size: number,
): SectionSource<RowSection> {
  const forms = rowForms(reads, mint, creator);
  if (kind === 'swaps') return source(kind, forms.swaps, creator, size);
  return kind === 'attempts'
    ? source(kind, forms.attempts, creator, size)
    : source(kind, forms.transfers, creator, size);
}

/** A page of a kind straight from the store, in the window's order. */
export function readRows(
  reads: RowReads,
  mint: Address,
  kind: RowKind,
  creator: Address | undefined,
  mark: number,
  window: RowWindow,
): Promise<readonly PageRow[]> {
  const forms = rowForms(reads, mint, creator);
  if (kind === 'swaps') return readForm(forms.swaps, mark, window);
  return kind === 'attempts' ? readForm(forms.attempts, mark, window) : readForm(forms.transfers, mark, window);
}

function rowForms(reads: RowReads, mint: Address, creator: Address | undefined) {
  const swaps: RowForm<MintRows['swaps'][number]> = {
    read: (mark, window) => reads.swaps(mint, mark, window),
    take: (rows) => rows.swaps,
    write: (row) => swapJson(row, creator),
  };
  const attempts: RowForm<MintRows['attempts'][number]> = {
    read: (mark, window) => reads.attempts(mint, mark, window),
    take: (rows) => rows.attempts,
    write: (row) => attemptJson(row, creator),
  };
  const transfers: RowForm<MintRows['transfers'][number]> = {
    read: (mark, window) => reads.transfers(mint, mark, window),
    take: (rows) => rows.transfers,
    write: transferJson,
  };
  return { swaps, attempts, transfers };
}

async function readForm<T extends Place>(form: RowForm<T>, mark: number, window: RowWindow): Promise<PageRow[]> {
  return (await form.read(mark, window)).map((row) => pageRow(form, row));
}

function pageRow<T extends Place>(form: RowForm<T>, row: T): PageRow {
  const { slot, block_index, ix_index, time } = row;
  return { slot, block_index, ix_index, time, json: Buffer.from(form.write(row)) };
}

function source<T extends Place>(
  kind: RowKind,
  form: RowForm<T>,
  creator: Address | undefined,
  size: number,
): SectionSource<RowSection> {
  return {
    // Rows that were written with another creator, or none, are no good.
    key: `${kind} ${creator ?? ''}`,
    async load(mark) {
      const newest = await readForm(form, mark, { order: 'desc', limit: size + 1, cursor: undefined });
      const complete = newest.length <= size;
      const span = new RowTail<PageRow>(size, newest.slice(0, size).reverse(), complete);
      return {
        span,
        get bytes() {
          // Rows of a kind are about as long as each other: the newest stands for all.
          return span.rows.length * (ROW_OVERHEAD_BYTES + (span.rows.at(-1)?.json.length ?? 0));
        },
        apply(rows) {
          // Every row names the creator: those written without one are no good once it is known.
          if (creator === undefined && rows.creations.length > 0) return false;
          return form.take(rows).every((row) => span.push(pageRow(form, row)));
        },
      };
    },
    isWorthKeeping: () => true,
  };
}
