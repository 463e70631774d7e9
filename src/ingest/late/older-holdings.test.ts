import { describe, expect, it } from 'vitest';
import { createQuickClock } from '../../../test/support/quick-clock.ts';
import { mintOf } from '../../../test/support/trade-chain.ts';
import { decodeRows } from '../../store/clickhouse/schema/row-codec.ts';
import { STALE_POSITIONS } from '../../store/clickhouse/schema/tables.ts';
import type { HoldingsStep } from '../../store/clickhouse/write/begin-holdings.ts';
import type { IngestStore } from '../ingest-store.ts';
import { foldOlderHoldings } from './older-holdings.ts';
import { createStaleMints, type StaleMints } from './stale-mints.ts';

type StepStore = Pick<IngestStore, 'readHoldingsStep' | 'noteHoldingsStep' | 'noteHoldingsFolded' | 'amend'>;
const stats = { alarm() {}, stale() {} };
const NEWER = { slot: 7, firstSlot: 7, holdingsOnly: false };

/** A store with a step for each list of mints, which tells in which order it was written to. */
function stepStore(steps: readonly (readonly number[])[]) {
  let noted = 0;
  let isFolded = false;
  const written: string[] = [];
  const store: StepStore = {
    async readHoldingsStep() {
      const mints = steps[noted];
      if (mints === undefined) return isFolded ? undefined : 'marked';
      return { mints: mints.map(mintOf), end: noted + 1 };
    },
    async noteHoldingsFolded() {
      isFolded = true;
      written.push('folded');
    },
    async noteHoldingsStep(step: HoldingsStep) {
      noted = step.end;
      written.push(`step ${step.end}`);
    },
    async amend(tables) {
      const rows = decodeRows(STALE_POSITIONS, tables.get('stale_positions')?.bytes ?? new Uint8Array(0));
      expect(rows.every((row) => row.holdings_only && !row.done && row.first_slot === 0)).toBe(true);
      written.push(`${rows.length} marks`);
    },
  };
  return { store, written };
}

const run = (store: StepStore, stale: StaleMints, signal = new AbortController().signal) =>
  foldOlderHoldings({ store, stale, stats, clock: createQuickClock(1_000), busy: () => false }, signal);

/** Long enough for whatever goes on without us. */
const passing = () => new Promise((resolve) => setTimeout(resolve, 30));

describe('holdings of a store from before them', () => {
  it('are marked step by step, each noted behind its marks', async () => {
    const { store, written } = stepStore([[1, 2], [], [3]]);
    const stale = createStaleMints({ mints: [], newestMark: 6 });
    const running = run(store, stale);
    while (written.length < 5) await passing();
    expect(stale.next(9).map(({ mint }) => mint)).toEqual([1, 2, 3].map(mintOf));
    stale.done(stale.next(9));
    await running;
    expect(written).toEqual(['2 marks', 'step 1', 'step 2', '1 marks', 'step 3', 'folded']);
  });

  it('are told to be there when the last that was marked is folded, whatever is marked meanwhile', async () => {
    const { store, written } = stepStore([[1, 2]]);
    const stale = createStaleMints({ mints: [], newestMark: 0 });
    const running = run(store, stale);
    while (written.length < 2) await passing();
    await passing();
    stale.done(stale.next(1));
    // One more swap of the second comes late while it is folded: that fold may lack it.
    const first = stale.next(1);
    stale.stored(stale.mark([mintOf(2)], NEWER));
    stale.done(first);
    await passing();
    expect(written).toEqual(['2 marks', 'step 1']);
    // A third that came later is none of them.
    stale.stored(stale.mark([mintOf(3)], NEWER));
    stale.done(stale.next(1));
    await running;
    expect(written).toEqual(['2 marks', 'step 1', 'folded']);
    expect(stale.size).toBe(1);
  });

  it('that an earlier run marked are waited for, and an end before that leaves them to the next', async () => {
    const { store, written } = stepStore([]);
    const left = { mint: mintOf(4), mark: 3, slot: 0, firstSlot: 0, holdingsOnly: true };
    const stop = new AbortController();
    const running = run(store, createStaleMints({ mints: [left], newestMark: 3 }), stop.signal);
    await passing();
    stop.abort();
    await running;
    expect(written).toEqual([]);
    const stale = createStaleMints({ mints: [left], newestMark: 3 });
    const again = run(store, stale);
    await passing();
    stale.done([left]);
    await again;
    expect(written).toEqual(['folded']);
  });

  it('raise no alarm any more once what was refused at the end is noted', async () => {
    const { store } = stepStore([]);
    const alarms: boolean[] = [];
    let isAway = true;
    const noteHoldingsFolded: StepStore['noteHoldingsFolded'] = async () => {
      if (isAway) {
        isAway = false;
        throw new Error('the store is away');
      }
      await store.noteHoldingsFolded();
    };
    const stale = createStaleMints({ mints: [], newestMark: 0 });
    const told = {
      ...stats,
      alarm: (_code: unknown, text: string | undefined) => void alarms.push(text !== undefined),
    };
    const options = { store: { ...store, noteHoldingsFolded }, stale, stats: told, busy: () => false };
    await foldOlderHoldings({ ...options, clock: createQuickClock(1_000) }, new AbortController().signal);
    expect(alarms).toEqual([true, false]);
  });

  it('wait while many mints are to be folded again, and until the store takes them', async () => {
    const many = Array.from({ length: 500 }, (_, place) => place);
    const { store, written } = stepStore([many, [600]]);
    const stale = createStaleMints({ mints: [], newestMark: 0 });
    let isAway = true;
    const amend: StepStore['amend'] = async (tables) => {
      if (isAway) {
        isAway = false;
        throw new Error('the store is away');
      }
      await store.amend(tables);
    };
    const stop = new AbortController();
    const running = run({ ...store, amend }, stale, stop.signal);
    while (written.length < 2) await passing();
    await passing();
    expect(written).toEqual(['500 marks', 'step 1']);
    stale.done(stale.next(5));
    while (written.length < 4) await passing();
    stale.done(stale.next(600));
    await running;
    expect(written).toEqual(['500 marks', 'step 1', '1 marks', 'step 2', 'folded']);
  });

  it('of one step are marked some at a time, however many they are, and noted behind the last of them', async () => {
    const { store, written } = stepStore([Array.from({ length: 1_200 }, (_, place) => place)]);
    const stale = createStaleMints({ mints: [], newestMark: 0 });
    const running = run(store, stale);
    for (const marks of ['500 marks', '500 marks', '200 marks']) {
      while (stale.size === 0) await passing();
      await passing();
      expect(written.at(-1)).toBe(marks === '200 marks' ? 'step 1' : marks);
      expect(stale.size).toBeLessThanOrEqual(500);
      stale.done(stale.next(500));
    }
    await running;
    expect(written).toEqual(['500 marks', '500 marks', '200 marks', 'step 1', 'folded']);
  });

  it('of one step are left to the next run from its beginning where this one ends within it', async () => {
    const { store, written } = stepStore([Array.from({ length: 600 }, (_, place) => place)]);
    const stop = new AbortController();
    const running = run(store, createStaleMints({ mints: [], newestMark: 0 }), stop.signal);
    while (written.length === 0) await passing();
    stop.abort();
    await running;
    expect(written).toEqual(['500 marks']);
  });

  it('are left to the next run where this one ends', async () => {
    const { store, written } = stepStore([[1]]);
    await run(store, createStaleMints({ mints: [], newestMark: 0 }), AbortSignal.abort());
    expect(written).toEqual([]);
  });
});
