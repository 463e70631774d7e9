import { describe, expect, it } from 'vitest';
import { CHAIN_WALL, handBlock } from '../../../test/support/market-chain.ts';
import { address } from '../../../test/support/token-world-rows.ts';
import { buy, type Known, openTrending } from '../../../test/support/trending-chain.ts';
import type { Address } from '../../chain/address.ts';
import { EQUITIES, QUOTE_MINTS } from '../../programs/registry/index.ts';

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
const EURC = QUOTE_MINTS.find(({ symbol }) => symbol === 'EURC')!.mint;
const [MOON, DOGE, FROG] = [41, 42, 43].map(address) as [Address, Address, Address];
const NOW = CHAIN_WALL - 100;
const HOUR_S = 3_600;
const SOL = 1_000_000_000n;

describe('tokens with most volume', () => {
  it('come by lamports of the window, whatever its length, with the swaps in it', async () => {
    const live = openTrending();
    live.publish(
      handBlock(0, NOW - 100 * HOUR_S, { swaps: [buy(FROG, 90n * SOL)] }),
      handBlock(1, NOW - 20 * HOUR_S, { swaps: [buy(DOGE, 9n * SOL), buy(DOGE, 1n * SOL)] }),
      handBlock(2, NOW - 400, { swaps: [buy(FROG, 2n * SOL)] }),
      handBlock(3, NOW - 300, { swaps: [buy(MOON, 3n * SOL), buy(FROG, 1n * SOL)] }),
      handBlock(4, NOW, { swaps: [buy(DOGE, 2n * SOL)] }),
    );
    live.commit();
    const inFive = { data: [{ trades: 1 }, { trades: 1 }, { trades: 1 }] };
    expect(await live.ask(300)).toMatchObject({
      ranks: [
        [MOON, 3n * SOL],
        [DOGE, 2n * SOL],
        [FROG, 1n * SOL],
      ],
      ...inFive,
    });
    expect((await live.ask(240)).ranks).toEqual([[DOGE, 2n * SOL]]);
    for (const window of [420, HOUR_S, 5_400]) {
      // Of equal ones the one with more swaps.
      expect((await live.ask(window)).ranks).toEqual([
        [FROG, 3n * SOL],
        [MOON, 3n * SOL],
        [DOGE, 2n * SOL],
      ]);
    }
    for (const window of [21 * HOUR_S, 24 * HOUR_S, 40 * HOUR_S]) {
      const { ranks, data } = await live.ask(window);
      expect(ranks[0]).toEqual([DOGE, 12n * SOL]);
      expect(data[0]?.trades).toBe(3);
    }
    for (const window of [101 * HOUR_S, 168 * HOUR_S]) {
      expect((await live.ask(window)).ranks[0]).toEqual([FROG, 93n * SOL]);
    }
    expect((await live.ask(168 * HOUR_S, 1)).data).toHaveLength(1);
  });

  it('count a stablecoin by the price of SOL, and nothing of a quote that only strangers price', async () => {
    // Its maker trades his second token in his first: as much as he likes, for nothing.
    const [worthless, washed] = [address(51), address(52)];
    const swaps = [
      buy(worthless, 5n * SOL, { price: 1e6, venue: 1 }),
      buy(washed, 10n ** 18n, { quote_mint: worthless, quote_decimals: 6 }),
      buy(MOON, 300_000_000n, { quote_mint: USDC, quote_decimals: 6 }),
      buy(FROG, 10n ** 15n, { quote_mint: EURC, quote_decimals: 6 }),
    ];
    const live = openTrending();
    live.publish(handBlock(0, NOW, { swaps }));
    live.commit();
    expect((await live.ask(HOUR_S)).ranks).toEqual([
      [worthless, 5n * SOL],
      [MOON, 2n * SOL],
    ]);
    const unpriced = openTrending({ solUsd: undefined });
    unpriced.publish(handBlock(0, NOW, { swaps }));
    unpriced.commit();
    expect((await unpriced.ask(5_400)).ranks).toEqual([[worthless, 5n * SOL]]);
  });

  it('are no equities, whatever they are traded in', async () => {
    const { mint } = EQUITIES[0]!;
    const live = openTrending();
    const swaps = [
      buy(mint, 900_000_000n, { venue: 2, quote_mint: USDC, quote_decimals: 6 }),
      buy(mint, 90n * SOL, { venue: 1 }),
      buy(DOGE, 1n * SOL),
    ];
    live.publish(handBlock(0, NOW, { swaps }));
    live.commit();
    for (const window of [300, 1_800, 48 * HOUR_S]) expect((await live.ask(window)).ranks).toEqual([[DOGE, SOL]]);
  });

  it('are of the newest block, and kept for five seconds', async () => {
    const live = openTrending();
    live.publish(handBlock(0, NOW, { swaps: [buy(DOGE, SOL)] }));
    live.commit();
    await live.settle();
    const first = await live.ask(7_200);
    live.publish(handBlock(1, NOW + 1, { swaps: [buy(MOON, 2n * SOL)] }));
    expect(await live.ask(7_200)).toEqual(first);
    await live.deps.clock.advance(5_000);
    const next = await live.ask(7_200);
    expect(next.ranks).toEqual([
      [MOON, 2n * SOL],
      [DOGE, SOL],
    ]);
    expect((next.slot ?? 0) - (first.slot ?? 0)).toBe(1);
  });

  it('tell prices of the hour where they are asked for, as far as they are known', async () => {
    const live = openTrending();
    live.publish(handBlock(0, NOW - 600, { swaps: [buy(DOGE, SOL)] }), handBlock(1, NOW, { swaps: [buy(MOON, SOL)] }));
    live.commit();
    const lengths = async (spark: boolean) =>
      (await live.ask(7_200, 200, spark)).data.map((row) => [row.mint, row.spark?.length]);
    const told = [
      [DOGE, 6],
      [MOON, 1],
    ];
    expect((await lengths(true)).sort()).toEqual(told.sort());
    expect((await lengths(false)).map(([, length]) => length)).toEqual([undefined, undefined]);
  });

  it('forget a block that was withdrawn', async () => {
    const live = openTrending();
    live.publish(handBlock(0, NOW, { swaps: [buy(DOGE, SOL)] }));
    live.commit();
    await live.settle();
    live.publish(handBlock(1, NOW + 1, { swaps: [buy(MOON, 2n * SOL)] }));
    live.withdraw();
    for (const window of [300, 600, 48 * HOUR_S]) expect((await live.ask(window)).ranks).toEqual([[DOGE, SOL]]);
  });

  it.each([60, 300, 600, 48 * HOUR_S])(
    'are of one slot when blocks come while rows are read, of %i seconds',
    async (window) => {
      const live = openTrending();
      live.publish(handBlock(0, NOW, { swaps: [buy(DOGE, SOL), buy(FROG, SOL)] }));
      live.commit();
      const newer = handBlock(1, NOW + 60, { swaps: [buy(MOON, 2n * SOL), buy(FROG, 4n * SOL)] });
      live.interrupt(() => live.publish(newer));
      const { ranks, slot } = await live.ask(window);
      expect(slot).toBe(newer.slot);
      expect(ranks).toEqual([
        [FROG, 5n * SOL],
        [MOON, 2n * SOL],
        [DOGE, SOL],
      ]);
    },
  );

  it.each([300, 600])(
    'have a token that is first traded while the last round of them is made, of %i seconds',
    async (window) => {
      const live = openTrending();
      live.publish(handBlock(0, NOW, { swaps: [buy(DOGE, SOL)] }));
      live.commit();
      // Each time that rows are read, a block brings another new token.
      const fresh = Array.from({ length: 5 }, (_, at) => address(60 + at));
      const comes = (at: number) => {
        live.publish(handBlock(at + 1, NOW, { swaps: [buy(fresh[at]!, BigInt(at + 2) * SOL)] }));
        if (at + 1 < fresh.length) live.interrupt(() => comes(at + 1));
      };
      live.interrupt(() => comes(0));
      const { ranks, slot } = await live.ask(window);
      expect(slot).toBe(handBlock(5, NOW, {}).slot);
      const traded = fresh.map((mint, at) => [mint, BigInt(at + 2) * SOL]);
      expect(ranks).toEqual([...traded.reverse(), [DOGE, SOL]]);
    },
  );

  it('say since when all of it is there, where that is not all that was asked for', async () => {
    const text = (seconds: number) => new Date(seconds * 1_000).toISOString().replace('.000', '');
    const sinceOf = async (known: Known, window: number) => {
      const live = openTrending(known);
      live.publish(handBlock(0, NOW, { swaps: [buy(DOGE, SOL)] }));
      live.commit();
      return (await live.ask(window)).since;
    };
    const hour = NOW - (NOW % HOUR_S);
    const minute = NOW - (NOW % 60);
    for (const exact of [300, HOUR_S]) expect(await sinceOf({}, exact)).toBeUndefined();
    // All others begin at a minute or an hour, which lies a little before that.
    expect(await sinceOf({}, 60)).toBe(text(minute - 60));
    expect(await sinceOf({}, 24 * HOUR_S)).toBe(text(minute - 24 * HOUR_S));
    expect(await sinceOf({}, 25 * HOUR_S)).toBe(text(hour - 25 * HOUR_S));
    expect(await sinceOf({}, 25 * HOUR_S - 60)).toBe(text(hour - 25 * HOUR_S));
    expect(await sinceOf({}, 168 * HOUR_S)).toBe(text(hour - 168 * HOUR_S));
    // A hole that was filled is in windows when they have read it, not before.
    expect(await sinceOf({ staleSince: NOW - 50 }, 300)).toBe(text(NOW - 50));
    expect(await sinceOf({ staleSince: NOW - 500, since: NOW - 90 }, 600)).toBe(text(NOW - 90));
    expect(await sinceOf({ staleSince: NOW - 500 }, 300)).toBeUndefined();
    expect(await sinceOf({ since: NOW - 1_000 }, 300)).toBeUndefined();
    expect(await sinceOf({ since: NOW - 1_000 }, HOUR_S)).toBe(text(NOW - 1_000));
    expect(await sinceOf({ keptSince: NOW - 2_000 }, 168 * HOUR_S)).toBe(text(NOW - 2_000));
  });

  it('are refused while windows are being read, and when too many others are asked for', async () => {
    const never = new Promise<never>(() => {});
    const cold = openTrending({ reading: (reads) => ({ ...reads, newest: () => never }) });
    await expect(cold.ask(300)).rejects.toMatchObject({ code: 'warming_up' });
    const crowded = openTrending({ reading: (reads) => ({ ...reads, newest: () => never }) });
    const asked = await Promise.allSettled(Array.from({ length: 20 }, (_, at) => crowded.ask(60 * (at + 1))));
    const codes = asked.map((each) => (each.status === 'rejected' ? each.reason.code : 'answered'));
    // One is under way, and 16 wait; five minutes stand at any time.
    expect(codes.filter((code) => code === 'storage_unavailable')).toHaveLength(2);
    expect(codes).not.toContain('answered');
  });
});
