import { describe, expect, it } from 'vitest';
import { createQuickClock } from '../../../test/support/quick-clock.ts';
import { mintOf } from '../../../test/support/trade-chain.ts';
import { decodeRows } from '../../store/clickhouse/schema/row-codec.ts';
import { STALE_POSITIONS } from '../../store/clickhouse/schema/tables.ts';
import type { HoldingsStep } from '../../store/clickhouse/write/begin-holdings.ts';
import type { IngestStore } from '../ingest-store.ts';
import { foldOlderHoldings } from './older-holdings.ts';
import { createStaleMints, type StaleMints } from './stale-mints.ts';

type StepStore = Pick<IngestStore, 'readHoldingsStep' | 'noteHoldingsStep' | 'amend'>;
const stats = { alarm() {}, stale() {} };

/** A store with a step for each list of mints, which tells in which order it was written to. */
function stepStore(steps: readonly (readonly number[])[]) {
  let noted = 0;
  const written: string[] = [];
  const store: StepStore = {
    async readHoldingsStep() {
      const mints = steps[noted];
      return mints === undefined ? undefined : { mints: mints.map(mintOf), steps: noted + 1 };
    },
    async noteHoldingsStep(step: HoldingsStep) {
      noted = step.steps;
      written.push(`step ${step.steps}`);
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

describe('holdings of a store from before them', () => {
  it('are marked step by step, each noted behind its marks', async () => {
    const { store, written } = stepStore([[1, 2], [], [3]]);
    const stale = createStaleMints({ mints: [], newestMark: 6 });
    await run(store, stale);
    expect(written).toEqual(['2 marks', 'step 1', 'step 2', '1 marks', 'step 3']);
    expect(stale.next(9).map(({ mint }) => mint)).toEqual([1, 2, 3].map(mintOf));
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
    while (written.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(written).toEqual(['500 marks', 'step 1']);
    stale.done(stale.next(5));
    await running;
    expect(written).toEqual(['500 marks', 'step 1', '1 marks', 'step 2']);
  });

  it('are left to the next run where this one ends', async () => {
    const { store, written } = stepStore([[1]]);
    await run(store, createStaleMints({ mints: [], newestMark: 0 }), AbortSignal.abort());
    expect(written).toEqual([]);
  });
});
