import { describe, expect, it } from 'vitest';
import { CHAIN_WALL, handBlock } from '../../../test/support/market-chain.ts';
import { address } from '../../../test/support/token-world-rows.ts';
import { buy, openTrending } from '../../../test/support/trending-chain.ts';
import type { Address } from '../../chain/address.ts';
import { Asker, readAs } from '../../store/reads/reader.ts';

const [MOON, DOGE] = [41, 42].map(address) as [Address, Address];
const NOW = CHAIN_WALL - 100;
const HOUR_S = 3_600;
const SOL = 1_000_000_000n;

describe('lists of windows', () => {
  it('of a window that stands wait for no other window, and are pushed out by none', async () => {
    let made = 0;
    let hold: Promise<void> | undefined = new Promise<never>(() => {});
    const live = openTrending({
      begins() {
        made += 1;
        const held = hold;
        hold = undefined;
        return held ?? Promise.resolve();
      },
    });
    live.publish(handBlock(0, NOW, { swaps: [buy(DOGE, SOL)] }));
    live.commit();
    await live.settle();
    // The first of them is stuck, and the others wait behind it.
    for (let at = 0; at < 20; at += 1) live.ask(60 * (10 + at)).catch(() => {});
    await live.deps.clock.advance(1);
    expect(hold).toBeUndefined();
    for (const window of [300, HOUR_S, 24 * HOUR_S, 168 * HOUR_S]) {
      expect((await live.ask(window)).ranks).toEqual([[DOGE, SOL]]);
    }
    const other = openTrending({
      async begins() {
        made += 1;
      },
    });
    other.publish(handBlock(0, NOW, { swaps: [buy(DOGE, SOL)] }));
    other.commit();
    await other.settle();
    await other.ask(300);
    for (let at = 0; at < 40; at += 1) await other.ask(60 * (10 + at));
    const before = made;
    await other.ask(300);
    expect(made).toBe(before);
  });

  it('are summed up for one account a few windows at a time, and for nobody who has left', async () => {
    let go: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    let made = 0;
    const live = openTrending({
      begins() {
        made += 1;
        return held;
      },
    });
    live.publish(handBlock(0, NOW, { swaps: [buy(DOGE, SOL)] }));
    live.commit();
    await live.settle();
    const askAs = (account: string, window: number) => {
      const asker = new Asker(() => ({ account, key: account }), 60_000);
      const asked = readAs(asker, () => live.ask(window));
      asked.catch(() => {});
      return { asker, asked };
    };
    const greedy = [600, 660, 720].map((window) => askAs('greedy', window));
    await expect(greedy[2]!.asked).rejects.toMatchObject({ code: 'over_share' });
    const modest = askAs('modest', 780);
    greedy[1]!.asker.leave();
    await expect(greedy[1]!.asked).rejects.toMatchObject({ code: 'abandoned' });
    const later = askAs('greedy', 840);
    go();
    for (const { asked } of [greedy[0]!, modest, later]) expect((await asked).ranks).toEqual([[DOGE, SOL]]);
    expect(made).toBe(3);
  });

  it('are summed up anew when late slots come into minutes that had been added up', async () => {
    const live = openTrending();
    live.publish(handBlock(0, NOW - 900, { swaps: [buy(DOGE, SOL)] }), handBlock(9, NOW, { swaps: [buy(DOGE, SOL)] }));
    live.commit();
    await live.settle();
    let isLate = false;
    live.interrupt(() => {
      isLate = true;
      live.deps.market.windows?.add({
        ...{ slot: handBlock(3, 0, {}).slot, time: NOW - 600 },
        swaps: handBlock(3, NOW - 600, { swaps: [buy(MOON, 7n * SOL)] }).swaps,
      });
    });
    expect((await live.ask(1_200)).ranks).toEqual([
      [MOON, 7n * SOL],
      [DOGE, 2n * SOL],
    ]);
    expect(isLate).toBe(true);
  });
});
