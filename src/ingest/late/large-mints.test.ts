import { describe, expect, it } from 'vitest';
import { foldChain, sortedChain } from '../../../test/support/folded-chain.ts';
import { createHastyClock } from '../../../test/support/hasty-clock.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { createQuickClock } from '../../../test/support/quick-clock.ts';
import { deriveTrades, mintOf, type Trade, tradeBlock, traderOf } from '../../../test/support/trade-chain.ts';
import type { Address } from '../../chain/address.ts';
import { walletKey } from '../../facts/holding.ts';
import { silentLogger } from '../../kernel/log.ts';
import { createPipeline } from '../live/pipeline.ts';
import { createIngestStats } from '../report/stats.ts';
import { createRefolder, type Refold } from './refold.ts';
import { createStaleMints, ofSlot, type StaleMints } from './stale-mints.ts';

const WALLETS = 60;
const MOST = 10;
const everybody = Array.from({ length: WALLETS }, (_, wallet) => wallet);
const clock = createQuickClock(10);
const newStats = () => createIngestStats({ source: 'yellowstone', committedSlot: 0, clock, log: silentLogger });

/** A store in which many wallets moved a token, and one of them others; these bought it before, unless one alone did. */
async function filledStore({ isBought = true } = {}) {
  const store = createMemoryStore();
  const trade = (mint: number, trader: number): Trade => ({ mint, trader, isBuy: true, quote: 5n, tokens: 9n });
  const burn = (mint: number, trader: number): Trade => ({ ...trade(mint, trader), tokens: 2n, move: 'burn' });
  const blocks = [
    tradeBlock(100, 99, [
      ...everybody.slice(0, isBought ? WALLETS : 1).map((wallet) => trade(2, wallet)),
      trade(1, 1),
      trade(3, 1),
    ]),
    tradeBlock(101, 100, [...everybody.map((wallet) => burn(2, wallet)), burn(1, 1)]),
  ];
  await createPipeline({
    source: {
      name: 'yellowstone',
      async *steps() {
        for (const block of blocks) yield { kind: 'block', block, confirmed: true };
      },
    },
    ...{ store, clock, derive: deriveTrades, stats: newStats() },
    sink: { publish() {}, commit() {}, withdraw() {}, changed() {} },
  }).run(new AbortController().signal);
  return store;
}

/** Folds all that is stale again, and gives what would have been put in place, round by round. */
async function refoldAll(store: Awaited<ReturnType<typeof filledStore>>, stale: StaleMints, onRound = () => {}) {
  const rounds: Refold[] = [];
  stale.close();
  const live = {
    draw: async () => 101,
    replace: async (refold: Refold) => {
      rounds.push(refold);
      onRound();
      return true;
    },
  };
  const refolder = createRefolder({
    ...{ store, stale, live, clock, delayMs: 1, maxWallets: MOST },
    ...{ sink: { changed() {} }, stats: newStats() },
  });
  await refolder.run(new AbortController().signal);
  return rounds;
}

describe('a mint with more wallets than are held at a time', () => {
  it('is folded again a share after the other, each wallet once, and is done with the last of them', async () => {
    const store = await filledStore();
    const stale = createStaleMints({ mints: [], newestMark: 0 });
    stale.stored(stale.mark([1, 2, 3].map(mintOf), ofSlot(100)));
    const rounds = await refoldAll(store, stale);
    const found = rounds.flatMap(({ states }) => [...states.keys()]);
    expect(new Set(found).size).toBe(found.length);
    expect(found).toHaveLength(WALLETS + 2);
    for (const { states, mints, isAsked } of rounds) {
      expect(states.size).toBeLessThanOrEqual(MOST);
      // The others of its wallets stay as they are.
      const asked = everybody.filter((wallet) => isAsked(traderOf(wallet)));
      expect(asked).toHaveLength(mints.has(mintOf(2)) ? states.size : WALLETS);
    }
    const large = rounds.filter(({ mints }) => mints.has(mintOf(2)));
    expect(large.length).toBeGreaterThan(WALLETS / MOST);
    expect(large.map(({ done }) => done.length)).toEqual([...large.slice(1).map(() => 0), 1]);
    expect(stale.size).toBe(0);
  });

  it('does not hold up what others need that were marked meanwhile', async () => {
    const store = await filledStore();
    const stale = createStaleMints({ mints: [], newestMark: 0 });
    stale.stored(stale.mark([mintOf(2)], ofSlot(100)));
    let isMarked = false;
    const rounds = await refoldAll(store, stale, () => {
      if (!isMarked) stale.stored(stale.mark([1, 3].map(mintOf), ofSlot(100)));
      isMarked = true;
    });
    // Two rounds are the large one's at most until it is the others' turn.
    expect(rounds.findIndex(({ mints }) => mints.has(mintOf(1)) && mints.has(mintOf(3)))).toBe(2);
    expect(rounds.filter(({ mints }) => mints.has(mintOf(2)))).toHaveLength(rounds.length - 1);
    expect(rounds.flatMap(({ states }) => [...states.keys()])).toHaveLength(WALLETS + 2);
    expect(stale.size).toBe(0);
  });

  it('is folded once more, from its first share on, when it was marked meanwhile', async () => {
    const store = await filledStore();
    const stale = createStaleMints({ mints: [], newestMark: 0 });
    stale.stored(stale.mark([mintOf(2)], ofSlot(100)));
    let isMarked = false;
    const rounds = await refoldAll(store, stale, () => {
      if (!isMarked) stale.stored(stale.mark([mintOf(2)], ofSlot(101)));
      isMarked = true;
    });
    expect(rounds.flatMap(({ done }) => done.map(({ mark }) => mark))).toEqual([1, 2]);
    expect(rounds.flatMap(({ states }) => [...states.keys()])).toHaveLength(2 * WALLETS);
  });

  it('has its stored holdings kept a share after the other too, where their movements were let go', async () => {
    // What is left gives one wallet alone.
    const store = await filledStore({ isBought: false });
    store.dropMovesBefore(102);
    const stale = createStaleMints({ mints: [], newestMark: 0 });
    stale.stored(stale.mark([1, 2, 3].map(mintOf), ofSlot(200)));
    const rounds = await refoldAll(store, stale);
    for (const { states } of rounds) expect(states.size).toBeLessThanOrEqual(2 * MOST);
    const kept = rounds.flatMap(({ asStored }) => [...asStored]);
    expect(kept.sort()).toEqual([...store.holdings.keys()].sort());
    expect(kept).toContain(walletKey({ mint: mintOf(2), wallet: traderOf(WALLETS - 1) }));
    expect(stale.size).toBe(0);
  });

  it('tells of wallets that moved it while it was folded again, by a block from before anybody was known to trade it', async () => {
    const bought: Trade = { mint: 2, trader: 0, isBuy: true, quote: 5n, tokens: 9n };
    const sentBy = (trader: number): Trade => ({ ...bought, trader, tokens: 1n, move: 'send' });
    const trades = [[sentBy(0)], [bought], [], [sentBy(1)]];
    const [first, late, second, third] = trades.map((each, place) => tradeBlock(100 + place, 99 + place, each));
    const hasty = createHastyClock();
    const until = async (isSo: () => boolean) => {
      while (!isSo()) await hasty.sleep(1);
    };
    const published: number[] = [];
    let isDrawn = false;
    const memory = createMemoryStore();
    const store: typeof memory = Object.assign(Object.create(memory), {
      async *swapsOf(mints: readonly Address[]) {
        isDrawn = true;
        await until(() => memory.slots.includes(103));
        yield* memory.swapsOf(mints);
      },
    });
    await createPipeline({
      source: {
        name: 'yellowstone',
        async *steps() {
          yield { kind: 'block', block: first!, confirmed: true };
          yield { kind: 'block', block: second!, confirmed: true };
          yield { kind: 'block', block: third!, confirmed: false };
          await until(() => isDrawn);
          yield { kind: 'confirmed', slot: 103 };
          while ((await memory.readStale()).mints.length > 0) await hasty.sleep(1);
        },
      },
      lateSource: {
        async *read() {
          await until(() => published.includes(103));
          yield { kind: 'block', block: late! };
        },
      },
      sink: { publish: ({ lastSlot }) => void published.push(lastSlot), commit() {}, withdraw() {}, changed() {} },
      // Those with an even number first.
      isOfShare: ({ of, place }, wallet) =>
        (everybody.findIndex((each) => traderOf(each) === wallet) & (of - 1)) === place,
      limits: { flushIntervalMs: 1, refoldDelayMs: 1, refoldWallets: 1 },
      ...{ store, clock: hasty, derive: deriveTrades, stats: newStats() },
    }).run(new AbortController().signal);
    expect(sortedChain(memory)).toEqual(foldChain([first!, late!, second!, third!], deriveTrades));
  });
});
