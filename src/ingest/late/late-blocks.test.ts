import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldChain, sortedChain } from '../../../test/support/folded-chain.ts';
import { createHastyClock } from '../../../test/support/hasty-clock.ts';
import { live, moodyNode } from '../../../test/support/ingest-life.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { deriveTrades, mintOf, type Trade, tradeBlock } from '../../../test/support/trade-chain.ts';
import type { Block } from '../../chain/block.ts';
import { createWalletShares } from '../../facts/wallet-share.ts';
import type { ChainStep } from '../../sources/source.ts';

const FIRST_SLOT = 100;

const trade: fc.Arbitrary<Trade> = fc.record({
  mint: fc.nat({ max: 2 }),
  trader: fc.nat({ max: 3 }),
  isBuy: fc.boolean(),
  quote: fc.bigInt(1n, 1_000n),
  tokens: fc.bigInt(1n, 1_000n),
  move: fc.constantFrom(undefined, undefined, undefined, 'send' as const, 'burn' as const, 'delta' as const),
});

/** A block of the chain, and how the live source tells of it. */
interface Told {
  readonly trades: readonly Trade[];
  /** Slots skipped before it. */
  readonly skipped: number;
  readonly by: 'stream' | 'nobody';
  /** Blocks after it at which it is confirmed. */
  readonly unsure: number;
}

const told: fc.Arbitrary<Told> = fc.record({
  trades: fc.array(trade, { maxLength: 3 }),
  skipped: fc.constantFrom(0, 0, 0, 2),
  by: fc.constantFrom('stream' as const, 'stream' as const, 'nobody' as const),
  unsure: fc.nat({ max: 3 }),
});

function chainOf(blocks: readonly Told[]): Block[] {
  const chain: Block[] = [];
  for (const { trades, skipped } of blocks) {
    const parentSlot = chain.at(-1)?.slot ?? FIRST_SLOT - 1;
    chain.push(tradeBlock(parentSlot + 1 + skipped, parentSlot, trades));
  }
  return chain;
}

/** Live steps from a slot on: without the blocks that nobody tells of, each confirmed some blocks later. */
function liveSteps(blocks: readonly Told[], chain: readonly Block[], fromSlot: number): ChainStep[] {
  const steps: ChainStep[] = [];
  let confirmed = 0;
  chain.forEach((block, place) => {
    if (block.slot < fromSlot || blocks[place]!.by === 'nobody') return;
    steps.push({ kind: 'block', block, confirmed: false });
    const sure = chain[place - blocks[place]!.unsure]?.slot ?? 0;
    if (sure > confirmed) steps.push({ kind: 'confirmed', slot: sure });
    confirmed = Math.max(confirmed, sure);
  });
  steps.push({ kind: 'confirmed', slot: chain.at(-1)?.slot ?? 0 });
  return steps;
}

describe('late blocks', () => {
  it('leave nothing behind: filled holes, kills and refolds come to what one fold of the chain comes to', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(told, { minLength: 2, maxLength: 40 }),
        fc.integer({ min: 0, max: 6 }),
        fc.array(fc.integer({ min: 2, max: 25 }), { maxLength: 2 }),
        fc.array(fc.constantFrom(0, 1, 4, 30), { minLength: 1, maxLength: 7 }),
        fc.constantFrom(1, 5, 20),
        fc.constantFrom(1, 3, 1_000),
        fc.nat(),
        async (blocks, positionCapacity, kills, delays, pace, refoldWallets, shareSeed) => {
          // Both ends are told of: what lies outside of them is no hole.
          const last = blocks.length - 1;
          const known = blocks.map((block, place) =>
            place === 0 || place === last ? { ...block, by: 'stream' as const } : block,
          );
          const chain = chainOf(known);
          const clock = createHastyClock();
          let asked = 0;
          let killAt = Number.POSITIVE_INFINITY;
          let running = new AbortController();
          const store = createMemoryStore({
            before: async () => {
              asked += 1;
              if (asked > killAt) {
                running.abort();
                throw new Error('killed');
              }
              for (let n = delays[asked % delays.length] ?? 0; n > 0; n -= 1) await clock.sleep(1);
            },
          });
          const isSettled = async () =>
            store.coverage.length === 1 &&
            store.wholeSlot === chain.at(-1)!.slot &&
            (await store.readStale()).mints.length === 0;
          const life = {
            ...{ store, clock, pace, until: isSettled, read: moodyNode(chain, clock) },
            ...{ limits: { positionCapacity, refoldWallets }, isOfShare: createWalletShares(shareSeed) },
          };
          for (const kill of kills) {
            killAt = asked + kill;
            running = new AbortController();
            const steps = liveSteps(known, chain, store.wholeSlot + 1);
            await live({ ...life, steps, signal: running.signal }).catch(() => {});
          }
          killAt = Number.POSITIVE_INFINITY;
          const steps = liveSteps(known, chain, store.wholeSlot + 1);
          const { view } = await live({ ...life, steps });
          expect(view).toEqual(steps.flatMap((step) => (step.kind === 'block' ? [step.block.slot] : [])));
          expect([...store.slots].sort((a, b) => a - b)).toEqual(chain.map(({ slot }) => slot));
          expect(sortedChain(store)).toEqual(foldChain(chain, deriveTrades));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('fold mints again only as of the marks they began with, and tell who reads about them', async () => {
    const trades = [{ mint: 1, trader: 1, isBuy: true, quote: 5n, tokens: 5n }];
    const chain = [100, 101, 102, 103].map((slot) => tradeBlock(slot, slot - 1, trades));
    const clock = createHastyClock();
    const store = createMemoryStore();
    const { changed, stats } = await live({
      ...{ store, clock },
      read: moodyNode(chain, clock),
      steps: [chain[0]!, chain[3]!].map((block) => ({ kind: 'block', block, confirmed: true }) as const),
      until: async () => store.coverage.length === 1 && (await store.readStale()).mints.length === 0,
    });
    expect([...changed]).toEqual([mintOf(1)]);
    expect(stats).toMatchObject({ refoldedMints: 1, staleMints: 0, alarms: [], holes: { count: 0, filledSlots: 2 } });
    expect(store.positions.values().next().value).toMatchObject({ buys: 4, slot: 103 });
  });

  it('leave positions alone whose older swaps retention has dropped, and say so', async () => {
    const trades = [{ mint: 1, trader: 1, isBuy: true, quote: 5n, tokens: 5n }];
    const chain = [100, 101, 102, 103].map((slot) => tradeBlock(slot, slot - 1, trades));
    const clock = createHastyClock();
    const store = createMemoryStore();
    const told = (...places: readonly number[]) =>
      places.map((place) => ({ kind: 'block', block: chain[place]!, confirmed: true }) as const);
    await live({ store, clock, steps: told(0, 1, 3) });
    store.dropBefore(101);
    const { stats } = await live({
      ...{ store, clock, read: moodyNode(chain, clock), steps: [] },
      until: async () => store.coverage.length === 1 && (await store.readStale()).mints.length === 0,
    });
    expect(store.positions.values().next().value).toMatchObject({ buys: 3, firstSlot: 100, slot: 103 });
    expect(stats.refoldedMints).toBe(0);
    expect(JSON.stringify(stats.oddities)).toContain('swaps_not_kept');
  });

  it('leave holdings as they are whose older movements retention has dropped, and not known from then on', async () => {
    const trade = { mint: 1, trader: 1, isBuy: true, quote: 5n, tokens: 5n };
    const moved = [trade, { ...trade, tokens: 1n, move: 'burn' as const }];
    const bought = [trade, { ...trade, trader: 7 }];
    const chain = [100, 101, 102, 103].map((slot) => tradeBlock(slot, slot - 1, slot === 100 ? moved : bought));
    const clock = createHastyClock();
    const store = createMemoryStore();
    const told = (...places: readonly number[]) =>
      places.map((place) => ({ kind: 'block', block: chain[place]!, confirmed: true }) as const);
    await live({ store, clock, steps: told(0, 1, 3) });
    const [before] = store.holdings.values();
    expect(before).toMatchObject({ balance: 14n, balanceKnown: true, moves: 1 });
    store.dropMovesBefore(101);
    const { stats } = await live({
      ...{ store, clock, read: moodyNode(chain, clock), steps: [] },
      until: async () => store.coverage.length === 1 && (await store.readStale()).mints.length === 0,
    });
    const [cut] = store.holdings.values();
    expect(cut).toEqual({ ...before, whole: false, balanceKnown: false, estimateKnown: false, pnlKnown: false });
    // The trades are all there, and positions are folded again out of them.
    expect(stats.refoldedMints).toBe(1);
    expect([...store.positions.values()].map(({ buys }) => buys).sort()).toEqual([3, 4]);
  });

  it('that were read and not written when the source ends are let go of', async () => {
    const trades = [{ mint: 1, trader: 1, isBuy: true, quote: 5n, tokens: 5n }];
    const chain = [100, 101, 102, 103].map((slot) => tradeBlock(slot, slot - 1, trades));
    const clock = createHastyClock();
    const store = createMemoryStore();
    let isTaken = false;
    await live({
      ...{ store, clock },
      read: async function* slow(_range, signal) {
        yield { kind: 'block', block: chain[1]! };
        isTaken = true;
        while (!signal.aborted) await clock.sleep(1);
      },
      steps: [chain[0]!, chain[3]!].map((block) => ({ kind: 'block', block, confirmed: true }) as const),
      until: () => isTaken,
    });
    expect(store.slots).toEqual([100, 103]);
    expect(await store.readStale()).toMatchObject({ mints: [] });
  });

  it('of a hole that nobody can fill raise an alarm with the reason', async () => {
    const chain = [100, 101, 1_101].map((slot, place) => tradeBlock(slot, place === 2 ? 1_100 : slot - 1, []));
    const clock = createHastyClock();
    const store = createMemoryStore();
    const { stats } = await live({
      ...{ store, clock },
      read: async function* none({ first, last }) {
        yield { kind: 'unavailable', first, last, reason: 'the node has pruned them' };
      },
      steps: chain.map((block) => ({ kind: 'block', block, confirmed: true }) as const),
      until: (stats) => stats.snapshot().alarms.length > 0,
    });
    expect(stats.holes).toMatchObject({ count: 1, slots: 999, oldestSlot: 102, filledSlots: 0 });
    expect(stats.alarms).toMatchObject([
      { code: 'holes', message: '999 slots are missing, the oldest from 102 to 1100: the node has pruned them' },
    ]);
  });
});
