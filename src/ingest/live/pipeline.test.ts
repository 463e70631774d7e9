import { describe, expect, it } from 'vitest';
import { batchListener } from '../../../test/support/batch-listener.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { createHandClock } from '../../../test/support/hand-clock.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import type { Block } from '../../chain/block.ts';
import { deriveFacts } from '../../facts/derive.ts';
import { createFeed } from '../../feed/in-process.ts';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { silentLogger } from '../../kernel/log.ts';
import type { BlockSource } from '../../sources/source.ts';
import type { RowBatch } from '../../store/clickhouse/schema/row-batch.ts';
import type { IngestStore } from '../ingest-store.ts';
import { createIngestStats } from '../report/stats.ts';
import type { PipelineLimits } from './ingest-line.ts';
import { createPipeline } from './pipeline.ts';

function emptyBlock(slot: number, whole = true, parentSlot = slot - 1): Block {
  return {
    slot,
    parentSlot,
    blockhash: whole ? `hash${slot}` : '',
    blockTime: 1_790_000_000,
    transactions: [],
    transactionCount: 0,
    voteCount: 0,
    whole,
  };
}

interface FakeSource extends BlockSource {
  readonly started: (number | undefined)[];
  pulled: number;
}

/** Blocks from `first` (or the resume slot) to `last`; then it ends, or waits for the abort. */
function fakeSource(first: number, last: number, endless = false): FakeSource {
  const source: FakeSource = {
    name: 'replay',
    started: [],
    pulled: 0,
    async *steps({ fromSlot, signal }) {
      source.started.push(fromSlot);
      for (let slot = fromSlot ?? first; slot <= last && !signal.aborted; slot += 1) {
        source.pulled += 1;
        yield { kind: 'block', block: emptyBlock(slot), confirmed: true };
      }
      if (endless) await systemClock.sleep(60_000, signal);
    },
  };
  return source;
}

interface FakeStore extends IngestStore {
  readonly flushes: number[][];
}

/** Calls that a store of blocks without swaps never really gets. */
const NO_SWAPS: IngestStore = createMemoryStore();

function fakeStore(committedSlot = 0, beforeFlush: () => Promise<void> | void = () => {}): FakeStore {
  const flushes: number[][] = [];
  let committed = committedSlot;
  return {
    ...NO_SWAPS,
    flushes,
    coverage: [],
    get committedSlot() {
      return committed;
    },
    async flush(batches: readonly RowBatch[]) {
      await beforeFlush();
      flushes.push(batches.map(({ lastSlot }) => lastSlot));
      for (const { closesSlots, lastSlot } of batches) if (closesSlots) committed = Math.max(committed, lastSlot);
    },
    get wholeSlot() {
      return committed;
    },
    withoutStored: (block) => Promise.resolve(block),
  };
}

function assemble(
  source: BlockSource,
  store: IngestStore,
  limits: Partial<PipelineLimits> = {},
  clock: Clock = systemClock,
  derive: typeof deriveFacts = deriveFacts,
) {
  const feed = createFeed({ maxHeldBatches: 16 });
  const stats = createIngestStats({
    source: source.name,
    committedSlot: store.committedSlot,
    clock,
    log: silentLogger,
  });
  const pipeline = createPipeline({
    source,
    store,
    sink: feed,
    stats,
    clock,
    derive,
    limits: { flushIntervalMs: 5, maxDerivedBlocks: 2, maxWaitingBatches: 4, ...limits },
  });
  return { pipeline, feed, stats };
}

const running = () => new AbortController().signal;

describe('the ingest pipeline', () => {
  it('brings every block to the feed and into the store, once and in order', async () => {
    const store = fakeStore();
    const { pipeline, feed, stats } = assemble(fakeSource(101, 150), store);
    const seen: number[] = [];
    feed.subscribe(batchListener(({ lastSlot }) => seen.push(lastSlot)));
    await pipeline.run(running());
    const expected = Array.from({ length: 50 }, (_, place) => 101 + place);
    expect(seen).toEqual(expected);
    expect(store.flushes.flat()).toEqual(expected);
    expect(feed.committedSlot).toBe(150);
    expect(feed.held).toBe(0);
    expect(stats.snapshot()).toMatchObject({ blocks: 50, ended: true, headSlot: 150, committedSlot: 150, lagSlots: 0 });
    expect(stats.snapshot()).toMatchObject({ queuedBlocks: 0, heldBatches: 0 });
  });

  it.each([true, false])(
    'makes a hole of a block that no table has room for, and goes on (confirmed: %s)',
    async (sure) => {
      const store = fakeStore();
      const source: BlockSource = {
        name: 'replay',
        async *steps() {
          for (const slot of [101, 102, 103]) yield { kind: 'block', block: emptyBlock(slot), confirmed: sure };
          if (sure) return;
          yield { kind: 'withdrawn', slot: 103 };
          yield { kind: 'confirmed', slot: 102 };
          yield { kind: 'block', block: emptyBlock(103), confirmed: true };
        },
      };
      const derive: typeof deriveFacts = (block, journal) => {
        const facts = deriveFacts(block, journal);
        return block.slot === 102 ? { ...facts, economics: { ...facts.economics, fees: 2n ** 64n } } : facts;
      };
      const { pipeline, stats } = assemble(source, store, {}, systemClock, derive);
      await pipeline.run(running());
      expect(store.flushes.flat()).toEqual([101, 103]);
      expect(stats.snapshot().oddities).toMatchObject([{ code: 'value_out_of_range', count: 1 }]);
    },
  );

  it('goes on after the slot up to which the store answers', async () => {
    const source = fakeSource(1, 205);
    const store = fakeStore(200);
    await assemble(source, store).pipeline.run(running());
    expect(source.started).toEqual([201]);
    expect(store.flushes.flat()).toEqual([201, 202, 203, 204, 205]);
  });

  it('stops pulling when the store does not keep up, and goes on when it does', async () => {
    let open: () => void = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const source = fakeSource(1, 100);
    const store = fakeStore(0, () => gate);
    const { pipeline, feed } = assemble(source, store);
    const done = pipeline.run(running());
    await systemClock.sleep(60);
    // 4 in the flush, 4 waiting, 1 at the door, 2 derived, 1 derived at the door, and what a group of folding holds.
    expect(source.pulled).toBeLessThanOrEqual(16);
    expect(feed.held).toBeLessThanOrEqual(9);
    open();
    await done;
    expect(store.flushes.flat()).toHaveLength(100);
  });

  it('flushes once an interval at the tip, and at once when enough has gathered', async () => {
    const store = fakeStore();
    const clock = createHandClock();
    // Time passes while the source waits for it, and once it has ended.
    let isWaiting = false;
    const slow: BlockSource = {
      name: 'simulator',
      async *steps() {
        for (let slot = 1; slot <= 20; slot += 1) {
          isWaiting = true;
          await clock.sleep(5);
          isWaiting = false;
          yield { kind: 'block', block: emptyBlock(slot), confirmed: true };
        }
        isWaiting = true;
      },
    };
    let isDone = false;
    const atTheTip = { flushIntervalMs: 60, maxWaitingBatches: 64 };
    const run = assemble(slow, store, atTheTip, clock).pipeline.run(running());
    void run.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      if (isWaiting) await clock.advance(5);
      await systemClock.sleep(1);
    }
    await run;
    expect(store.flushes.length).toBeLessThanOrEqual(4);

    const eager = fakeStore();
    const limits = { flushIntervalMs: 60_000, enoughRows: 3, maxWaitingBatches: 64 };
    const controller = new AbortController();
    const done = assemble(fakeSource(1, 3, true), eager, limits).pipeline.run(controller.signal);
    await eventually(() => expect(eager.flushes.flat()).toEqual([1, 2, 3]));
    controller.abort();
    await done;
  });

  it('brings what is in hand into the store when it is stopped', async () => {
    const store = fakeStore();
    const { pipeline, stats } = assemble(fakeSource(1, 3, true), store, { flushIntervalMs: 60_000 });
    const controller = new AbortController();
    const done = pipeline.run(controller.signal);
    await eventually(() => expect(stats.snapshot().blocks).toBe(3));
    expect(store.flushes).toEqual([]);
    controller.abort();
    await done;
    expect(store.flushes.flat()).toEqual([1, 2, 3]);
    expect(stats.snapshot().ended).toBe(false);
  });

  it('fails with the fault of its source, after what was in hand is lost from memory only', async () => {
    const broken: BlockSource = {
      name: 'rpc',
      async *steps() {
        yield { kind: 'block', block: emptyBlock(1), confirmed: true };
        throw new Error('the node refuses');
      },
    };
    await expect(assemble(broken, fakeStore()).pipeline.run(running())).rejects.toThrow('the node refuses');
  });

  it('fails with the fault of its store, and lets go of its source', async () => {
    const store = fakeStore(0, () => {
      throw new Error('rows refused');
    });
    await expect(assemble(fakeSource(1, 3, true), store).pipeline.run(running())).rejects.toThrow('rows refused');
  });

  it('never closes a slot for partial input, yet commits it', async () => {
    const source: BlockSource = {
      name: 'replay',
      async *steps() {
        yield { kind: 'block', block: emptyBlock(7, false), confirmed: true };
      },
    };
    const { pipeline, feed } = assemble(source, fakeStore());
    const closing: boolean[] = [];
    feed.subscribe(batchListener(({ closesSlots }) => closing.push(closesSlots)));
    await pipeline.run(running());
    expect(closing).toEqual([false]);
    expect(feed.held).toBe(0);
    expect(feed.committedSlot).toBe(7);
  });

  it('counts the slots that parent links show as missing', async () => {
    const source: BlockSource = {
      name: 'yellowstone',
      async *steps() {
        yield { kind: 'block', block: emptyBlock(10), confirmed: true };
        yield { kind: 'block', block: emptyBlock(13, true, 10), confirmed: true };
        yield { kind: 'block', block: emptyBlock(20, true, 18), confirmed: true };
      },
    };
    const { pipeline, stats } = assemble(source, fakeStore());
    await pipeline.run(running());
    expect(stats.snapshot().missingSlots).toBe(5);
  });
});
