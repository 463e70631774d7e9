import { beforeEach, describe, expect, it } from 'vitest';
import { createHastyClock } from '../../../test/support/hasty-clock.ts';
import { createMemoryStore, type MemoryStore } from '../../../test/support/memory-store.ts';
import { deriveTrades, mintOf, type Trade, tradeBlock, traderOf } from '../../../test/support/trade-chain.ts';
import type { Block } from '../../chain/block.ts';
import { type HoldingState, walletKey } from '../../facts/holding.ts';
import { silentLogger } from '../../kernel/log.ts';
import type { BlockSource } from '../../sources/source.ts';
import { encodeHoldings } from '../../store/clickhouse/schema/holding-rows.ts';
import { encodeStale } from '../../store/clickhouse/write/stale-positions.ts';
import { createPipeline } from '../live/pipeline.ts';
import { createIngestStats } from '../report/stats.ts';

const buy = (trader: number, tokens = 5n): Trade => ({ mint: 1, trader, isBuy: true, quote: 5n, tokens });
const move = (kind: NonNullable<Trade['move']>, trader: number, tokens: bigint): Trade => {
  return { ...buy(trader, tokens), move: kind };
};

let store: MemoryStore;
beforeEach(() => {
  store = createMemoryStore();
});

/** One block for each list of trades, from slot 100 on. */
function chainOf(...blocks: (readonly Trade[])[]): Block[] {
  return blocks.map((trades, place) => tradeBlock(100 + place, 99 + place, trades));
}

/** A life of ingest: tells of these blocks, and goes on until holes are filled from `node` and nothing is stale. */
async function live(blocks: readonly Block[], node: readonly Block[] = []): Promise<void> {
  const clock = createHastyClock();
  const isSettled = async () => store.coverage.length === 1 && (await store.readStale()).mints.length === 0;
  const source: BlockSource = {
    name: 'yellowstone',
    async *steps() {
      for (const block of blocks) yield { kind: 'block', block, confirmed: true };
      for (let spins = 0; node.length > 0 && !(await isSettled()); spins += 1) {
        if (spins > 20_000) throw new Error('never settled');
        await clock.sleep(100);
      }
    },
  };
  const lateSource = {
    async *read({ first, last }: { readonly first: number; readonly last: number }) {
      for (const block of node) if (block.slot >= first && block.slot <= last) yield { kind: 'block', block } as const;
    },
  };
  await createPipeline({
    ...{ source, store, clock, lateSource: node.length > 0 ? lateSource : undefined, derive: deriveTrades },
    stats: createIngestStats({ source: 'yellowstone', committedSlot: store.committedSlot, clock, log: silentLogger }),
    sink: { publish() {}, commit() {}, withdraw() {}, changed() {} },
    limits: { flushIntervalMs: 3, maxDerivedBlocks: 2, maxWaitingBatches: 4, refoldDelayMs: 1 },
  }).run(new AbortController().signal);
}

const holdingOf = (trader: number): HoldingState | undefined =>
  store.holdings.get(walletKey({ mint: mintOf(1), wallet: traderOf(trader) }));

const CUT = { whole: false, balanceKnown: false, estimateKnown: false, pnlKnown: false };

describe('a late block of a token that is older than its movements', () => {
  it('leaves the holdings of those as they were who have no step in it', async () => {
    const chain = chainOf(
      [buy(1, 9n), buy(3, 9n), move('burn', 1, 2n), move('burn', 3, 2n)],
      [buy(7)],
      [buy(3), move('burn', 8, 1n)],
      [buy(7)],
    );
    await live([chain[0]!, chain[1]!, chain[3]!]);
    const [first, third] = [holdingOf(1), holdingOf(3)];
    expect(first).toMatchObject({ balance: 7n, balanceKnown: true, whole: true });
    store.dropMovesBefore(101);
    await live([], chain);
    expect(holdingOf(1)).toEqual(first);
    // Its late purchase cannot be put in order with what is gone.
    expect(holdingOf(3)).toEqual({ ...third, ...CUT });
  });

  it('goes on from them live as if nothing had been', async () => {
    const chain = chainOf(
      [buy(1, 9n), move('burn', 1, 2n)],
      [buy(7)],
      [buy(7)],
      [buy(7)],
      [buy(1), move('burn', 1, 1n)],
    );
    await live([chain[0]!, chain[1]!, chain[3]!]);
    store.dropMovesBefore(101);
    await live([], chain.slice(0, 4));
    await live([chain[4]!]);
    expect(holdingOf(1)).toMatchObject({ balance: 11n, burnt: 3n, moves: 2, balanceKnown: true, whole: true });
  });

  it('is not fooled by a late movement in the place of one that was let go', async () => {
    // Its first movement is kept, the second let go, and the late one is the very same again.
    const chain = chainOf(
      [buy(1, 9n), move('burn', 1, 1n)],
      [move('burn', 1, 2n)],
      [buy(7)],
      [buy(7), move('burn', 1, 2n)],
      [buy(7)],
    );
    await live([chain[0]!, chain[1]!, chain[2]!, chain[4]!]);
    const before = holdingOf(1);
    expect(before).toMatchObject({ balance: 6n, moves: 2 });
    store.dropMoves(({ slot }) => slot === 101);
    await live([], chain);
    expect(holdingOf(1)).toEqual({ ...before, ...CUT });
  });

  it('is not fooled by a late movement of another kind', async () => {
    const chain = chainOf(
      [buy(1, 9n), move('burn', 1, 1n)],
      [move('send', 1, 2n)],
      [buy(7)],
      [buy(7), move('delta', 1, 2n)],
      [buy(7)],
    );
    await live([chain[0]!, chain[1]!, chain[2]!, chain[4]!]);
    store.dropMoves(({ slot }) => slot === 101);
    await live([], chain);
    expect(holdingOf(1)).toMatchObject({ moves: 2, sent: 2n, ...CUT });
  });
});

describe('a late block of a token whose swaps were let go', () => {
  it('makes those unknown that it moves, also for the first time, and leaves the others', async () => {
    const chain = chainOf(
      [buy(1, 9n), buy(3, 9n), buy(5, 9n), move('burn', 1, 2n), move('burn', 3, 2n)],
      [buy(7)],
      [move('burn', 3, 1n), move('burn', 5, 1n)],
      [buy(7)],
      [buy(5), buy(3), buy(1)],
    );
    await live([chain[0]!, chain[1]!, chain[3]!]);
    const [first, third] = [holdingOf(1), holdingOf(3)];
    expect(holdingOf(5)).toBeUndefined();
    store.dropBefore(101);
    await live([], chain.slice(0, 4));
    expect(holdingOf(1)).toEqual(first);
    expect(holdingOf(3)).toEqual({ ...third, ...CUT });
    expect(holdingOf(5)).toMatchObject(CUT);
    const buys = [...store.positions.values()].map((position) => position.buys);
    await live([chain[4]!]);
    // What is folded on top of them goes on from the positions that were there.
    expect([...store.positions.values()].reduce((sum, position) => sum + position.buys, 0)).toBe(
      buys.reduce((a, b) => a + b) + 3,
    );
    expect(holdingOf(5)).toMatchObject(CUT);
  });
});

describe('holdings alone that are to be folded, of a token that is older than what is kept', () => {
  /** Has all holdings of the token folded out of what there is, as those of a store from before them. */
  async function foldHoldings(block: Block): Promise<void> {
    const mark = { mint: mintOf(1), mark: 1, slot: 0, firstSlot: 0, holdingsOnly: true };
    await store.amend(new Map([['stale_positions', encodeStale([mark], false)]]));
    await live([block]);
    expect((await store.readStale()).mints).toEqual([]);
  }

  it('leave those as they were that lack nothing, and make those unknown that something moved before', async () => {
    const chain = chainOf(
      [buy(1, 9n), buy(3, 9n), buy(5, 9n), buy(9, 9n), move('burn', 3, 2n), move('burn', 5, 2n)],
      [buy(7)],
      [move('burn', 1, 1n), move('burn', 3, 1n)],
      [buy(7)],
      [buy(7)],
    );
    await live(chain.slice(0, 2));
    // So far it was a version without holdings.
    await store.removeHoldings([...store.holdings.values()]);
    await live(chain.slice(2, 4));
    const [first, third] = [holdingOf(1), holdingOf(3)];
    expect([first?.balance, third?.balance]).toEqual([8n, 8n]);
    store.dropBefore(101);
    await foldHoldings(chain[4]!);
    expect(holdingOf(1)).toEqual(first);
    expect(holdingOf(3)).toEqual({ ...third, ...CUT });
    // Its positions lack the purchase that it burnt from.
    expect(holdingOf(5)).toMatchObject(CUT);
    expect(holdingOf(9)).toBeUndefined();
  });

  it('are not told apart by the place where they begin alone: a movement in the midst makes them unknown too', async () => {
    const chain = chainOf(
      [buy(1, 9n), move('burn', 1, 2n)],
      [move('burn', 1, 1n)],
      [buy(7)],
      [move('burn', 1, 1n)],
      [buy(7)],
    );
    await live([chain[0]!]);
    const [begun] = store.holdings.values();
    await live(chain.slice(1, 3));
    // What came between two versions was not folded.
    await store.removeHoldings([...store.holdings.values()]);
    await store.amend(new Map([['holdings', encodeHoldings([begun!])]]));
    await live([chain[3]!]);
    const before = holdingOf(1);
    expect(before).toMatchObject({ firstSlot: 100, balance: 6n, moves: 2 });
    store.dropBefore(101);
    await foldHoldings(chain[4]!);
    expect(holdingOf(1)).toEqual({ ...before, ...CUT });
  });

  it('stay where they are made of movements that were let go', async () => {
    const chain = chainOf([buy(1, 9n), move('burn', 1, 2n)], [buy(7)], [buy(7)]);
    await live(chain.slice(0, 2));
    const first = holdingOf(1);
    expect(first).toMatchObject({ balance: 7n, balanceKnown: true });
    store.dropMovesBefore(101);
    await foldHoldings(chain[2]!);
    expect(holdingOf(1)).toEqual(first);
  });
});
