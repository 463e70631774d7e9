import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldPositions } from '../../../test/support/fold-positions.ts';
import { foldChain, sortedChain } from '../../../test/support/folded-chain.ts';
import { createHastyClock } from '../../../test/support/hasty-clock.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { deriveTrades, mintOf, type Trade, tradeBlock } from '../../../test/support/trade-chain.ts';
import type { Block } from '../../chain/block.ts';
import { type PositionState, positionKey } from '../../facts/average-cost.ts';
import { silentLogger } from '../../kernel/log.ts';
import type { BlockSource, ChainStep } from '../../sources/source.ts';
import { toRowBatch } from '../../store/clickhouse/schema/fact-rows.ts';
import { fromPositionRow } from '../../store/clickhouse/schema/position-rows.ts';
import type { RowBatch } from '../../store/clickhouse/schema/row-batch.ts';
import { decodeRows } from '../../store/clickhouse/schema/row-codec.ts';
import { POSITIONS } from '../../store/clickhouse/schema/tables.ts';
import { withStale } from '../../store/clickhouse/write/stale-positions.ts';
import type { BatchSink } from '../ingest-store.ts';
import { createIngestStats } from '../report/stats.ts';
import type { PipelineLimits } from './ingest-line.ts';
import { createPipeline } from './pipeline.ts';

const trade: fc.Arbitrary<Trade> = fc.record({
  mint: fc.nat({ max: 5 }),
  trader: fc.nat({ max: 3 }),
  isBuy: fc.boolean(),
  quote: fc.bigInt(1n, 1_000n),
  tokens: fc.bigInt(1n, 1_000n),
  protocolActor: fc.constantFrom(false, false, false, true),
  move: fc.constantFrom(undefined, undefined, undefined, 'send' as const, 'burn' as const, 'delta' as const),
});

/** The next event of a chain. Events that cannot happen are left out. */
type Turn =
  | {
      readonly kind: 'block';
      readonly trades: readonly Trade[];
      readonly skipped: number;
      readonly sure: boolean;
      readonly births: number;
    }
  | { readonly kind: 'confirm' | 'withdraw'; readonly blocks: number };

const turn: fc.Arbitrary<Turn> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('block' as const),
      trades: fc.array(trade, { maxLength: 6 }),
      skipped: fc.nat({ max: 2 }),
      sure: fc.boolean(),
      births: fc.constantFrom(0, 0, 1),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('confirm' as const), blocks: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('withdraw' as const), blocks: fc.integer({ min: 1, max: 3 }) }),
  },
);

/** Mints from before the chain began. */
const OLD_MINTS = 2;

function births(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + deriveTrades(block).created.length, 0);
}

/** A legal history, and the chain that it comes to. */
function tell(turns: readonly Turn[]): { readonly steps: ChainStep[]; readonly chain: Block[] } {
  const steps: ChainStep[] = [];
  const chain: Block[] = [];
  const open: Block[] = [];
  let fork = 0;
  for (const each of turns) {
    if (each.kind === 'block') {
      const parent = open.at(-1) ?? chain.at(-1);
      const parentSlot = parent?.slot ?? 99;
      // A mint is traded once it is born on this very branch; one that is withdrawn may be born again.
      const born = births(chain) + births(open);
      const creates = Array.from({ length: each.births }, (_, place) => OLD_MINTS + born + place);
      const mints = OLD_MINTS + born + creates.length;
      const trades = each.trades.map((one) => ({ ...one, mint: one.mint % mints }));
      const block = tradeBlock(parentSlot + 1 + each.skipped, parentSlot, trades, { fork: ++fork, creates });
      const confirmed = each.sure && open.length === 0;
      steps.push({ kind: 'block', block, confirmed });
      (confirmed ? chain : open).push(block);
    } else if (each.kind === 'confirm') {
      const blocks = open.splice(0, each.blocks);
      if (blocks.length > 0) steps.push({ kind: 'confirmed', slot: blocks.at(-1)!.slot });
      chain.push(...blocks);
    } else {
      for (const block of open.splice(-each.blocks).reverse()) steps.push({ kind: 'withdrawn', slot: block.slot });
    }
  }
  return { steps, chain };
}

function foldOf(blocks: readonly Block[]): Map<string, PositionState> {
  const positions = new Map<string, PositionState>();
  for (const block of blocks) foldPositions(positions, deriveTrades(block).swaps);
  return positions;
}

/** A feed that only remembers, and compares each batch with the fold of the chain below it. */
function watchingSink(blocks: ReadonlyMap<string, Block>) {
  const view: Block[] = [];
  let committed = 0;
  let withdrawn = 0;
  const sink: BatchSink = {
    publish(batch) {
      const block = blocks.get(hashOf(batch));
      if (block === undefined) throw new RangeError('a batch of no block');
      view.push(block);
      const expected = foldOf(view);
      for (const row of decodeRows(POSITIONS, batch.tables.get('positions')?.bytes ?? new Uint8Array(0))) {
        const state = fromPositionRow(row);
        expect(state).toEqual(expected.get(positionKey(state)));
      }
    },
    withdraw(slot) {
      expect(view.at(-1)?.slot).toBe(slot);
      expect(view.length).toBeGreaterThan(committed);
      view.pop();
      withdrawn += 1;
    },
    commit(_slot, batches) {
      committed += batches;
    },
    changed() {},
  };
  return { sink, view, withdrawals: () => withdrawn };
}

function hashOf({ tables }: RowBatch): string {
  const bytes = tables.get('blocks')!.bytes;
  return new TextDecoder().decode(bytes.subarray(5, 5 + bytes[4]!));
}

async function run(steps: readonly ChainStep[], limits: Partial<PipelineLimits>, delays: readonly number[]) {
  const clock = createHastyClock();
  let asked = 0;
  const store = createMemoryStore({
    before: async () => {
      for (let n = delays[asked++ % delays.length] ?? 0; n > 0; n -= 1) await clock.sleep(1);
    },
  });
  const blocks = new Map(steps.flatMap((step) => (step.kind === 'block' ? [[step.block.blockhash, step.block]] : [])));
  const watched = watchingSink(blocks);
  const source: BlockSource = {
    name: 'yellowstone',
    async *steps() {
      for (const step of steps) {
        yield step;
        for (let n = delays[asked++ % delays.length] ?? 0; n > 0; n -= 1) await clock.sleep(1);
      }
    },
  };
  const stats = createIngestStats({ source: 'yellowstone', committedSlot: 0, clock, log: silentLogger });
  await createPipeline({
    ...{ source, store, sink: watched.sink, stats, clock, derive: deriveTrades },
    limits: { flushIntervalMs: 3, maxDerivedBlocks: 2, maxWaitingBatches: 4, refoldDelayMs: 1, ...limits },
  }).run(new AbortController().signal);
  return { store, stats: stats.snapshot(), ...watched };
}

describe('steps of a chain', () => {
  it('in any legal order come to what the chain alone comes to: in the store, in positions, in the feed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(turn, { maxLength: 60 }),
        fc.constantFrom(0, 0, 2, 6),
        fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 7 }),
        async (turns, positionCapacity, delays) => {
          const { steps, chain } = tell(turns);
          const { store, view, stats } = await run(steps, { positionCapacity }, delays);
          expect(store.slots).toEqual(chain.map(({ slot }) => slot));
          expect(view.map(({ blockhash }) => blockhash)).toEqual(chain.map(({ blockhash }) => blockhash));
          expect(sortedChain(store)).toEqual(foldChain(chain, deriveTrades));
          expect(stats.unconfirmedBlocks).toBe(0);
          expect(await store.readStale()).toMatchObject({ mints: [] });
        },
      ),
      { numRuns: 200 },
    );
  });

  it('publishes a block before it is confirmed, and stores it after', async () => {
    const seen: number[][] = [];
    const clock = createHastyClock();
    const store = createMemoryStore();
    const block = tradeBlock(100, 99, [{ mint: 0, trader: 0, isBuy: true, quote: 1n, tokens: 1n }]);
    const published: number[] = [];
    const source: BlockSource = {
      name: 'yellowstone',
      async *steps() {
        yield { kind: 'block', block, confirmed: false };
        for (let n = 0; n < 50; n += 1) await clock.sleep(100);
        seen.push([...published], [...store.slots]);
        yield { kind: 'confirmed', slot: 100 };
      },
    };
    const sink = {
      publish: ({ lastSlot }: RowBatch) => void published.push(lastSlot),
      commit() {},
      withdraw() {},
      changed() {},
    };
    const stats = createIngestStats({ source: 'yellowstone', committedSlot: 0, clock, log: silentLogger });
    await createPipeline({ source, store, sink, stats, clock, derive: deriveTrades }).run(new AbortController().signal);
    expect(seen).toEqual([[100], []]);
    expect(store.slots).toEqual([100]);
  });

  it('leaves nothing unconfirmed behind when the source ends while a mint is put beneath it', async () => {
    const clock = createHastyClock();
    const store = createMemoryStore();
    const trades = [{ mint: 0, trader: 0, isBuy: true, quote: 1n, tokens: 1n }];
    const [old, first, second] = [100, 101, 102].map((slot) => tradeBlock(slot, slot - 1, trades)) as [
      Block,
      Block,
      Block,
    ];
    await store.flush([
      withStale(toRowBatch(deriveTrades(old), []), [
        { mint: mintOf(0), mark: 1, slot: 100, firstSlot: 100, holdingsOnly: false },
      ]),
    ]);
    const told: string[] = [];
    let published = 0;
    const sink: BatchSink = {
      async publish({ lastSlot }) {
        published += 1;
        // The feed is slow to take what is published again.
        for (let n = published > 2 ? 30 : 0; n > 0; n -= 1) await clock.sleep(1);
        told.push(`publish ${lastSlot}`);
      },
      withdraw: (slot) => void told.push(`withdraw ${slot}`),
      commit() {},
      changed() {},
    };
    const source: BlockSource = {
      name: 'yellowstone',
      async *steps() {
        for (const block of [first, second]) yield { kind: 'block', block, confirmed: false };
        while (published < 3) await clock.sleep(1);
      },
    };
    const stats = createIngestStats({ source: 'yellowstone', committedSlot: 100, clock, log: silentLogger });
    const limits = { refoldDelayMs: 5 };
    const pipeline = createPipeline({ source, store, sink, stats, clock, derive: deriveTrades, limits });
    await pipeline.run(new AbortController().signal);
    const [up, down] = [
      ['publish 101', 'publish 102'],
      ['withdraw 102', 'withdraw 101'],
    ];
    expect(told).toEqual([...up, ...down, ...up, ...down]);
    expect(store.positions.values().next().value).toMatchObject({ slot: 100, buys: 1 });
  });

  it('holds a bounded number of unconfirmed blocks: what comes on top becomes a hole, and says so', async () => {
    const blocks = Array.from({ length: 6 }, (_, place) => tradeBlock(100 + place, 99 + place, []));
    const steps: ChainStep[] = [
      ...blocks.slice(0, 5).map((block) => ({ kind: 'block', block, confirmed: false }) as const),
      { kind: 'withdrawn', slot: 104 },
      { kind: 'confirmed', slot: 103 },
      { kind: 'block', block: tradeBlock(105, 103, []), confirmed: true },
    ];
    const { store, view } = await run(steps, { maxUnconfirmedBlocks: 3 }, [0]);
    expect(store.slots).toEqual([100, 101, 102, 105]);
    expect(view.map(({ slot }) => slot)).toEqual([100, 101, 102, 105]);
    expect(store.coverage).toEqual([
      { first: 100, last: 102 },
      { first: 104, last: 105 },
    ]);
  });
});
