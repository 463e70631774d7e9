import { Type } from 'typebox';
import { newestTime } from '../chain/newest-time.ts';
import type { Clock } from '../kernel/clock.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { defineRowQuery, SHARED_READ_SECONDS } from '../store/query.ts';
import { type CurveBirth, CurveBook, type CurveSample } from './curve-book.ts';
import type { SlotRange, TimeSpan, WindowReads } from './market-reads.ts';

const HOUR_S = 3_600;
/** Of so long every slot counts; of the hour before it the last one alone. */
const RECENT_S = 720;
/** Read beyond the hour: when the newest blocks are withdrawn, it begins earlier again. */
const MARGIN_S = 120;

const span = {
  after: Type.Integer(),
  last: Type.Integer(),
  since: Type.Integer(),
  until: Type.Integer(),
};

const samples = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./curve-samples.sql', import.meta.url),
  params: Type.Object({ ...span, recent: Type.Integer() }),
  layout: {
    name: 'curve_samples',
    columns: { mint: 'account', newest_slot: 'u32', newest_time: 'u32', left: 'u64', before: 'u64' },
  },
});

const births = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./curve-births.sql', import.meta.url),
  params: Type.Object(span),
  layout: { name: 'curve_births', columns: { mint: 'account', slot: 'u32', time: 'time' } },
});

/** The questions about curves, asked of the store. */
export interface CurveReads extends Pick<WindowReads, 'newest' | 'slots'> {
  /** Samples of a span by slot; those before `recent` as one of each curve. */
  samples(range: SlotRange & TimeSpan & { readonly recent: number }): Promise<readonly CurveSample[]>;
  births(range: SlotRange & TimeSpan): Promise<readonly CurveBirth[]>;
}

export function createCurveReads(client: StoreClient, windows: WindowReads): CurveReads {
  return {
    newest: windows.newest,
    slots: windows.slots,
    async samples(range) {
      const rows = await samples(client, range);
      return rows.flatMap(({ mint, newest_slot, newest_time, left, before }) =>
        mint === '' ? [] : { mint, slot: newest_slot, time: newest_time, left, before },
      );
    },
    async births(range) {
      return (await births(client, range)).flatMap(({ mint, ...birth }) => (mint === '' ? [] : { mint, ...birth }));
    },
  };
}

/** Curves of the hour as the store has them up to a slot. */
export async function readCurves(reads: CurveReads, clock: Pick<Clock, 'now'>, mark: number): Promise<CurveBook> {
  const book = new CurveBook();
  const blocks = await reads.newest(mark);
  const now = newestTime(
    blocks.map(({ time }) => time),
    Math.floor(clock.now() / 1_000),
  );
  if (now === 0) return book;
  const [recent, until] = [now - RECENT_S, now + 1];
  const hour = { since: now - HOUR_S - MARGIN_S, until };
  const range = { ...(await reads.slots(mark, hour)), ...hour };
  const [born, sold] = await Promise.all([
    reads.births({ ...range, since: recent }),
    reads.samples({ ...range, recent }),
  ]);
  book.add(born, sold, now);
  return book;
}
