import { expect } from 'vitest';
import type { Api } from './answer-run.ts';
import type { JsonRow, tickColumns } from './row-truth.ts';

/** Readers of pages, as their documentation tells them to read. */

export interface SwapsPage {
  readonly data: readonly JsonRow[];
  readonly next_cursor?: string;
}

export interface TicksPage extends Readonly<Record<'t' | 'p' | 's' | 'a' | 'dev', readonly number[]>> {
  readonly mint: string;
  readonly quote_mint: string;
  readonly older: string;
  readonly newer: string;
  readonly history_start: boolean;
}

/** Somebody who reads the swaps of a token from the first one on. */
export interface Reader {
  readonly mint: string;
  readonly rows: JsonRow[];
  cursor: string;
}

/** The next page of somebody who reads on from their cursor; false when there was nothing new. */
export async function readOn(api: Api, reader: Reader, limit: number): Promise<boolean> {
  const page = await api.read<SwapsPage>(
    `/tokens/${reader.mint}/swaps?order=asc&limit=${limit}&cursor=${reader.cursor}`,
  );
  reader.rows.push(...page.data);
  if (page.next_cursor !== undefined) reader.cursor = onwards(reader.cursor, page.next_cursor);
  return page.data.length > 0;
}

/** Rows of all pages. */
export async function walk(api: Api, path: string, limit: number): Promise<JsonRow[]> {
  const rows: JsonRow[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const page: SwapsPage = await api.read<SwapsPage>(`${path}&limit=${limit}&cursor=${cursor}`);
    // A page with another behind it is full.
    if (page.next_cursor !== undefined && path.includes('desc')) expect(page.data).toHaveLength(limit);
    rows.push(...page.data);
    cursor = page.next_cursor === undefined ? undefined : onwards(cursor, page.next_cursor);
  }
  return rows;
}

/** Every page of ticks, walked back from the newest to where history starts. */
export async function walkBack(api: Api, path: string, limit: number) {
  const ticks: ReturnType<typeof tickColumns> = [];
  for (let before = ''; ; ) {
    const page = await api.read<TicksPage>(`${path}&limit=${limit}&before=${before}`);
    ticks.unshift(...tickRows(page));
    if (page.history_start) return ticks;
    expect(page.t).toHaveLength(limit);
    before = onwards(before, page.older);
  }
}

/** From a cursor on to the newest, until an empty page repeats the cursor. */
export async function walkOn(api: Api, path: string, limit: number, from: string) {
  const ticks: ReturnType<typeof tickColumns> = [];
  for (let after = from; ; ) {
    const page = await api.read<TicksPage>(`${path}&limit=${limit}&after=${after}`);
    expect(page.history_start).toBe(false);
    if (page.t.length === 0) {
      expect(page.newer).toBe(after);
      return ticks;
    }
    ticks.push(...tickRows(page));
    after = onwards(after, page.newer);
  }
}

/** The next cursor. One that leads to where it came from would be followed for ever. */
function onwards(cursor: string, next: string): string {
  if (next === cursor) throw new Error(`the cursor ${cursor} leads to itself`);
  return next;
}

function tickRows({ t, p, s, a, dev }: TicksPage) {
  return t.map((time, at) => ({ t: time, p: p[at]!, s: s[at]!, a: a[at]!, dev: dev.includes(at) }));
}
