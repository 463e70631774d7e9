import type { BookLimits } from '../../src/books/book-limits.ts';
import type { BlockFacts } from '../../src/facts/fact.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import type { RowBatch } from '../../src/store/clickhouse/schema/row-batch.ts';
import { decodeRows } from '../../src/store/clickhouse/schema/row-codec.ts';
import { SWAPS, type SwapRow } from '../../src/store/clickhouse/schema/tables.ts';
import { type AnswerRun, openApi } from './answer-run.ts';
import { type Reader, readOn } from './answer-walk.ts';
import { swapIds } from './figure-truth.ts';
import { factsOf, type JsonRow } from './row-truth.ts';

export interface LiveReadings {
  /** Rows of the swaps list by mint, as a reader found them who followed it from the first one on. */
  readonly followed: ReadonlyMap<string, readonly JsonRow[]>;
  readonly reconciled: readonly Reconciled[];
}

/** Swaps of a day: what an answer and the feed's rows that it does not list come to, and what there were. */
export interface Reconciled {
  readonly counted: number;
  readonly expected: number;
  readonly listed: number;
  readonly later: number;
}

/**
 * A reader who follows, and one who adds a socket's trades to an answer, out of
 * books and without them by turns, while blocks come.
 */
export async function readWhileItGoesOn(
  run: AnswerRun,
  mints: readonly string[],
  blocks: number,
  withoutBooks: BookLimits,
): Promise<LiveReadings> {
  const api = openApi(run.open());
  const cold = openApi(run.open(withoutBooks));
  const seen: SwapRow[] = [];
  const stop = run.feed.subscribe({
    batch: (batch) => void seen.push(...swapsIn(batch)),
    withdrawn() {},
    changed() {},
  });
  // Rows that the feed brought before the reader came, and that the store did not have when it was asked, are in
  // neither.
  const joined = run.feed.headSlot;
  while (run.feed.committedSlot < joined) await systemClock.sleep(5);
  const asked: Asked[] = [];
  const readers = mints.map((mint): Reader => ({ mint, rows: [], cursor: '' }));
  const readAll = async () => {
    for (const reader of readers) while (await readOn(api, reader, 500));
  };
  await readAll();
  for (let played = 0; played < blocks; played += 1) {
    await run.play(1);
    // A clock at the head of the chain, and then one far ahead of it, as when blocks come late.
    run.time = run.truth.at(-1)!.time + (played < blocks / 2 ? 1 : 400);
    const answering = played % 2 === 0 ? api : cold;
    for (const reader of readers) {
      const { mint } = reader;
      await readOn(api, reader, 2);
      asked.push({ mint, body: await answering.read<JsonRow>(`/tokens/${mint}/activity`), now: run.time });
    }
  }
  stop();
  await readAll();
  await api.close();
  await cold.close();
  return {
    followed: new Map(readers.map(({ mint, rows }) => [mint, rows])),
    reconciled: asked.map((each) => reconcile(run.truth, each, seen)),
  };
}

interface Asked {
  readonly mint: string;
  readonly body: JsonRow;
  readonly now: number;
}

/** The count of a page that adds a socket's trades to the answer, and the true one. */
function reconcile(truth: readonly BlockFacts[], { mint, body, now }: Asked, seen: readonly SwapRow[]): Reconciled {
  const since = Date.parse(String(body.recent_since)) / 1000;
  const listed = new Set(body.recent_ids as string[]);
  const later = seen.filter((row) => {
    const [id] = swapIds([{ signature: row.signature, ixIndex: row.ix_index }]);
    return row.mint === mint && row.time >= since && !listed.has(id!);
  });
  const [, , day] = body.windows as { txns: number }[];
  const counted = day!.txns + later.length;
  const expected = factsOf(truth, 'swaps', mint).filter(({ time }) => time >= now - 86_400).length;
  return { counted, expected, listed: listed.size, later: later.length };
}

function swapsIn(batch: RowBatch): readonly SwapRow[] {
  const table = batch.tables.get('swaps');
  return table === undefined ? [] : decodeRows(SWAPS, table.bytes);
}
