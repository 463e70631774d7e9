import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldPositions } from '../../../test/support/fold-positions.ts';
import { createMemoryStore, type MemoryStore } from '../../../test/support/memory-store.ts';
import type { Block } from '../../chain/block.ts';
import { readGeyserBlock } from '../../chain/geyser/geyser-protobuf.ts';
import type { PositionState } from '../../facts/average-cost.ts';
import { deriveFacts } from '../../facts/derive.ts';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { silentJournal } from '../../kernel/journal.ts';
import { silentLogger } from '../../kernel/log.ts';
import { createSimulator } from '../../simulator/simulator.ts';
import type { RangeStep } from '../../sources/rpc-range.ts';
import type { BlockSource } from '../../sources/source.ts';
import { missingRanges, type SlotRange } from '../../store/clickhouse/coverage.ts';
import { toRowBatch } from '../../store/clickhouse/schema/fact-rows.ts';
import { createPipeline } from '../live/pipeline.ts';
import { createIngestStats } from '../report/stats.ts';
import { type Backfill, createBackfill } from './backfill.ts';
import type { RangeReader } from './hole-filler.ts';

const never = new AbortController().signal;
const nothing = () => {};
const hasty: Clock = { ...systemClock, sleep: () => new Promise((resolve) => setImmediate(resolve)) };

const chain: readonly Block[] = (() => {
  const simulator = createSimulator({ seed: 'history', sign: false, isSkipped: (slot) => slot % 25 === 7 });
  return Array.from({ length: 60 }, () => readGeyserBlock(simulator.next().geyser(), silentJournal));
})();
const whole: SlotRange = { first: chain[0]!.slot, last: chain.at(-1)!.slot };

/** Reads the chain; `fault` is asked before each step. */
function reader(lost: ReadonlySet<number> = new Set(), fault: (slot: number) => void = () => {}) {
  const asked: SlotRange[] = [];
  const read: RangeReader = async function* (range, signal): AsyncGenerator<RangeStep> {
    asked.push(range);
    for (let slot = range.first; slot <= range.last; slot += 1) {
      fault(slot);
      if (signal.aborted) return;
      const block = chain.find((each) => each.slot === slot);
      if (lost.has(slot)) yield { kind: 'unavailable', first: slot, last: slot, reason: 'it is gone' };
      else if (block === undefined) yield { kind: 'skipped', first: slot, last: slot };
      else yield { kind: 'block', block };
    }
  };
  return { read, asked };
}

function open(store: MemoryStore, read: RangeReader): Promise<Backfill> {
  const stats = createIngestStats({ source: 'rpc', committedSlot: 0, clock: hasty, log: silentLogger });
  const disk = { low: false, room: async () => {} };
  return createBackfill({ store, read, stats, clock: hasty, disk, limits: { maxBlocks: 5, maxBytes: 1e9 } });
}

/** As live ingest leaves blocks: with the positions that they alone make. */
function ingestLive(store: MemoryStore, blocks: readonly Block[]): Promise<void> {
  const stats = createIngestStats({ source: 'rpc', committedSlot: 0, clock: hasty, log: silentLogger });
  const sink = { publish: nothing, commit: nothing, withdraw: nothing, changed: nothing };
  const source: BlockSource = {
    name: 'rpc',
    async *steps() {
      for (const block of blocks) yield { kind: 'block', block, confirmed: true };
    },
  };
  return createPipeline({ source, store, sink, stats, clock: hasty }).run(never);
}

/** Positions of one fold over these blocks. */
function foldOf(blocks: readonly Block[]): Map<string, PositionState> {
  const states = new Map<string, PositionState>();
  for (const block of blocks) foldPositions(states, deriveFacts(block, silentJournal).swaps);
  return states;
}

function byKey(positions: ReadonlyMap<string, PositionState>): [string, PositionState][] {
  return [...positions].sort(([a], [b]) => (a < b ? -1 : 1));
}

describe('backfill', () => {
  it('asks only for what the store does not have, before, between and after', async () => {
    const store = createMemoryStore();
    const { read, asked } = reader();
    const middle = [chain[20]!, chain[40]!].map((block) => toRowBatch(deriveFacts(block, silentJournal), []));
    await store.flush(middle);
    const expected = missingRanges(store.coverage, whole);
    expect(expected).toHaveLength(3);
    const filler = await open(store, read);
    await filler.fill(whole, nothing, never);
    expect(asked).toEqual(expected);
    expect(filler.missing(whole)).toEqual([]);
  });

  it('remembers skipped slots that no stored block tells of', async () => {
    const skipped = missingRanges(
      chain.map(({ slot }) => ({ first: slot, last: slot })),
      whole,
    )[0]!;
    const range = { first: whole.first, last: skipped.last };
    const filler = await open(createMemoryStore(), reader().read);
    await filler.fill(range, nothing, never);
    expect(filler.missing(range)).toEqual([]);
  });

  it('names what could not be had, and asks for it again the next time', async () => {
    const store = createMemoryStore();
    const lost = new Set([chain[7]!.slot, chain[8]!.slot]);
    const first = await open(store, reader(lost).read);
    const unavailable: RangeStep[] = [];
    await first.fill(whole, (step) => step.kind === 'unavailable' && unavailable.push(step), never);
    expect(unavailable.map((step) => step.kind === 'unavailable' && step.first)).toEqual([...lost]);
    const { read, asked } = reader();
    const second = await open(store, read);
    await second.fill(whole, nothing, never);
    await second.refold(never);
    expect(asked).toEqual(missingRanges([], { first: chain[7]!.slot, last: chain[8]!.slot }));
    expect(byKey(store.positions)).toEqual(byKey(foldOf(chain)));
  });

  it('keeps what came before the node refused, and says why it ends', async () => {
    const store = createMemoryStore();
    const { slot } = chain[30]!;
    const filler = await open(
      store,
      reader(new Set(), (each) => {
        if (each === slot) throw new Error('the plan is used up');
      }).read,
    );
    await expect(filler.fill(whole, nothing, never)).rejects.toThrow('the plan is used up');
    expect(filler.missing(whole)).toEqual([{ first: slot, last: whole.last }]);
  });

  it('leaves the truth, however often it is interrupted and whatever was there before', async () => {
    const place = fc.nat(chain.length - 1);
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(place, { maxLength: 8 }),
        fc.array(fc.record({ slots: fc.integer({ min: 1, max: 70 }), folds: fc.boolean() }), { maxLength: 4 }),
        async (before, interruptions) => {
          const store = createMemoryStore();
          await ingestLive(
            store,
            before.sort((a, b) => a - b).map((each) => chain[each]!),
          );
          for (const { slots, folds } of interruptions) {
            const stop = new AbortController();
            let left = slots;
            const filler = await open(
              store,
              reader(new Set(), () => {
                left -= 1;
                if (left <= 0) stop.abort();
              }).read,
            );
            await filler.fill(whole, nothing, stop.signal);
            if (folds) await filler.refold(stop.signal);
          }
          const filler = await open(store, reader().read);
          await filler.fill(whole, nothing, never);
          await filler.refold(never);
          expect(filler.missing(whole)).toEqual([]);
          expect([...store.slots].sort((a, b) => a - b)).toHaveLength(new Set(store.slots).size);
          expect(byKey(store.positions)).toEqual(byKey(foldOf(chain)));
        },
      ),
      { numRuns: 25 },
    );
  });
});
