import { Type } from 'typebox';
import type { Clock } from '../kernel/clock.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { defineRowStream } from '../store/query.ts';
import { type CurveBirth, CurveBook, type CurveSample, HOUR_S, MARGIN_S, RECENT_S } from './curve-book.ts';
import type { SlotRange, TimeSpan, WindowReads } from './market-reads.ts';
import { NewestBlocks } from './newest-blocks.ts';
import { Portions } from './portions.ts';

/** Seconds that no block's time reaches. */
const END_OF_TIME = 0xffff_ffff;

const span = {
  after: Type.Integer(),
  last: Type.Integer(),
  since: Type.Integer(),
  until: Type.Integer(),
};

const samples = defineRowStream({
  sql: new URL('./curve-samples.sql', import.meta.url),
  params: Type.Object({ ...span, recent: Type.Integer() }),
  layout: {
    name: 'curve_samples',
    columns: { mint: 'account', newest_slot: 'u32', newest_time: 'u32', left: 'u64', before: 'u64' },
  },
});

const births = defineRowStream({
  sql: new URL('./curve-births.sql', import.meta.url),
  params: Type.Object(span),
  layout: { name: 'curve_births', columns: { mint: 'account', slot: 'u32', time: 'time' } },
});

/** The questions about curves, asked of the store. Answers come in pieces: they are as large as the market. */
export interface CurveReads extends Pick<WindowReads, 'newest' | 'slots'> {
  /** Samples of a span by slot; those before `recent` as one of each curve. */
  samples(
    range: SlotRange & TimeSpan & { readonly recent: number },
    signal: AbortSignal,
  ): AsyncIterable<readonly CurveSample[]>;
  births(range: SlotRange & TimeSpan, signal: AbortSignal): AsyncIterable<readonly CurveBirth[]>;
}

export function createCurveReads(client: StoreClient, windows: WindowReads): CurveReads {
  return {
    newest: windows.newest,
    slots: windows.slots,
    async *samples(range, signal) {
      for await (const rows of samples(client, range, signal)) {
        yield rows.flatMap(({ mint, newest_slot, newest_time, left, before }) =>
          mint === '' ? [] : { mint, slot: newest_slot, time: newest_time, left, before },
        );
      }
    },
    async *births(range, signal) {
      for await (const rows of births(client, range, signal)) {
        yield rows.flatMap(({ mint, ...birth }) => (mint === '' ? [] : { mint, ...birth }));
      }
    },
  };
}

/** Curves of the hour, and the blocks that decide when it ends. */
export interface StoredCurves {
  readonly book: CurveBook;
  readonly blocks: NewestBlocks;
  /** Slots before it are from before the hour. */
  readonly firstSlot: number;
}

export interface CurveReading {
  readonly clock: Clock;
  /** Slot up to which the store answers. */
  readonly mark: number;
  readonly signal: AbortSignal;
}

/** Reads the curves of the hour as the store has them, and what runs ahead of it. */
export async function readCurves(reads: CurveReads, { clock, mark, signal }: CurveReading): Promise<StoredCurves> {
  const book = new CurveBook();
  const portions = new Portions(clock);
  const blocks = new NewestBlocks(await reads.newest(mark));
  const now = blocks.now(Math.floor(clock.now() / 1_000));
  if (now === 0) return { book, blocks, firstSlot: 0 };
  const recent = now - RECENT_S;

  async function take(span: TimeSpan, bornSince: number): Promise<SlotRange> {
    const slots = await reads.slots(mark, span);
    const range = { ...slots, ...span };
    for await (const born of reads.births({ ...range, since: bornSince }, signal)) {
      book.add(born, [], now);
      await portions.turn();
    }
    for await (const sold of reads.samples({ ...range, recent }, signal)) {
      book.add([], sold, now);
      await portions.turn();
    }
    return slots;
  }

  const { after } = await take({ since: now - HOUR_S - MARGIN_S, until: now + 1 }, recent);
  const ahead = { since: now + 1, until: END_OF_TIME };
  const inFront = await reads.slots(mark, ahead);
  if (inFront.last > inFront.after) await take(ahead, ahead.since);
  return { book, blocks, firstSlot: after + 1 };
}
