import { afterEach, describe, expect, it, vi } from 'vitest';
import { answerFaults } from '../../../test/support/answer-schema.ts';
import { answerOf, CHAIN_WALL, type HandSwap, handBlock, marketChain } from '../../../test/support/market-chain.ts';
import { createMemoryCurves } from '../../../test/support/memory-curves.ts';
import { address } from '../../../test/support/token-world-rows.ts';
import type { Address } from '../../chain/address.ts';
import { slotOfBody } from '../../contract/stamp.ts';
import { silentLogger } from '../../kernel/log.ts';
import { createFollowedCurves } from '../../market/followed-curves.ts';
import type { WindowReads } from '../../market/market-reads.ts';
import { USUAL_TOKENS } from '../../token/curve-progress.ts';
import { type GraduatingRow, listGraduating } from './contract-market.ts';
import { CurveRanking } from './curve-ranking.ts';
import { createGraduating } from './graduating.ts';
import type { GraduatingFilter } from './graduating-rules.ts';

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
const [MOON, DOGE, FROG] = [41, 42, 43].map(address) as [Address, Address, Address];
const NOW = CHAIN_WALL - 100;
const FILTER: GraduatingFilter = { min_progress: 0, sort: 'velocity', limit: 50 };

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});

interface Known {
  readonly since?: number;
  readonly staleSince?: number;
  readonly reading?: (reads: WindowReads) => WindowReads;
}

function open({ since = 0, staleSince, reading }: Known = {}) {
  const chain = marketChain(reading && { reading });
  const { feed, clock } = chain.deps;
  const follow = () => {
    const reads = createMemoryCurves(chain.stored);
    const curves = createFollowedCurves({ reads, feed, clock, log: silentLogger });
    opened.push(curves);
    return createGraduating({
      ...chain.deps,
      market: Object.create(chain.deps.market, { staleSince: { value: staleSince } }) as typeof chain.deps.market,
      curves,
      unbroken: async () => ({ first: 1, since }),
      wholeSince: async () => new Map(),
    });
  };
  opened.push(chain);
  const hot = follow();
  const ask = async (filter: Partial<GraduatingFilter> = {}, graduating = hot) => {
    const body = await answerOf(clock, graduating.list({ ...FILTER, ...filter }));
    const answer = JSON.parse(body.toString()) as { data: GraduatingRow[]; since?: string };
    expect(answerFaults(listGraduating, answer)).toEqual([]);
    return { ...answer, slot: slotOfBody(body), mints: answer.data.map(({ mint }) => mint) };
  };
  return { ...chain, ask, askAnew: (filter?: Partial<GraduatingFilter>) => ask(filter, follow()) };
}

/** A buy on a curve in SOL that leaves so many percent sold, `of` which it bought. */
function sold(mint: Address, percent: number, of: number, swap: Partial<HandSwap> = {}): HandSwap {
  const tokens = (share: number) => (USUAL_TOKENS * BigInt(Math.round(share * 1_000))) / 100_000n;
  return {
    ...{ mint, venue: 0, quote_mint: '', quote_decimals: 9, is_buy: true, token_amount: tokens(of) },
    real_token_reserves: tokens(100 - percent),
    ...swap,
  };
}

const born = (...mints: readonly Address[]) => handBlock(0, NOW - 3_500, { births: mints.map((mint) => ({ mint })) });

describe('tokens on their way to graduation', () => {
  it('come by velocity or by when they are sold out, with their progress', async () => {
    const live = open();
    live.publish(
      born(MOON, DOGE, FROG),
      handBlock(1, NOW - 700, { swaps: [sold(FROG, 98, 98)] }),
      handBlock(2, NOW - 200, { swaps: [sold(MOON, 30, 30), sold(DOGE, 70, 10)] }),
      handBlock(3, NOW, { swaps: [sold(DOGE, 80, 10)] }),
    );
    live.commit();
    const fast = await live.ask();
    expect(fast.data.map(({ spark }) => spark)).toEqual([undefined, undefined, undefined]);
    const sparks = (await live.ask({ spark: true })).data.map(({ mint, spark }) => [mint, spark?.length]);
    expect(sparks).toEqual([
      [MOON, 2],
      [DOGE, 2],
      [FROG, 6],
    ]);
    const told = ({ mint, progress_pct, velocity_pct_per_min, eta_s, stalled }: GraduatingRow) => [
      ...[mint, progress_pct, velocity_pct_per_min, eta_s, stalled],
    ];
    const [moon, doge, frog] = [
      [MOON, 30, 6, 700, false],
      [DOGE, 80, 4, 300, false],
      [FROG, 98, 0, undefined, true],
    ];
    expect(fast.data.map(told)).toEqual([moon, doge, frog]);
    expect(fast.data.every((row) => row.progress_pct === row.curve_progress_pct)).toBe(true);
    expect((await live.ask({ sort: 'eta' })).data.map(told)).toEqual([doge, moon, frog]);
    expect((await live.ask({ min_progress: 80 })).mints).toEqual([DOGE, FROG]);
    expect((await live.ask({ min_progress: 80.01, limit: 1 })).mints).toEqual([FROG]);
    expect((await live.ask({ limit: 1, sort: 'eta' })).mints).toEqual([DOGE]);
  });

  it('are no curves in another quote, that are complete or graduated, that never moved, or on an AMM', async () => {
    const [dollars, complete, graduated, still, pool] = [51, 52, 53, 54, 55].map(address) as Address[];
    const live = open();
    const swaps = [
      sold(dollars!, 50, 50, { quote_mint: USDC, quote_decimals: 6 }),
      sold(complete!, 100, 50),
      sold(graduated!, 60, 50),
      sold(pool!, 60, 50, { venue: 1 }),
      sold(MOON, 60, 50, { reserves_known: false }),
      sold(DOGE, 60, 50),
    ];
    const block = handBlock(1, NOW, { swaps });
    const graduation = handBlock(2, NOW, {});
    graduation.graduations.push({
      ...{ mint: graduated!, slot: graduation.slot, block_index: 0, ix_index: 0, time: NOW, partial: false },
      ...{ signature: new Uint8Array(64), pool: address(61), quote_mint: '', token_amount: 1n, quote_amount: 1n },
      ...{ migration_fee: 0n, user: '' },
    });
    live.publish(born(dollars!, complete!, graduated!, still!, pool!, MOON, DOGE), block, graduation);
    expect((await live.ask()).mints).toEqual([DOGE]);
    live.commit();
    await live.settle();
    expect((await live.askAnew()).mints).toEqual([DOGE]);
  });

  it('are those of which it is known what they started with, however many others are faster', async () => {
    const strangers = Array.from({ length: 150 }, (_, at) => address(100 + at));
    const live = open();
    live.publish(
      born(DOGE),
      handBlock(1, NOW - 10, { swaps: [...strangers.map((mint) => sold(mint, 90, 60)), sold(DOGE, 20, 10)] }),
      handBlock(2, NOW - 5, {
        births: [{ mint: MOON, real_token_reserves: 2n * USUAL_TOKENS }],
        swaps: [sold(MOON, 0, 30)],
      }),
    );
    const { data } = await live.ask({ limit: 1 });
    expect(data.map(({ mint, progress_pct }) => [mint, progress_pct])).toEqual([[MOON, 50]]);
    expect((await live.ask()).mints).toEqual([MOON, DOGE]);
  });

  it('are the same out of memory and read anew, at the newest block, without one that was withdrawn', async () => {
    const live = open();
    live.publish(born(MOON, DOGE), handBlock(1, NOW - 400, { swaps: [sold(MOON, 20, 20), sold(DOGE, 10, 10)] }));
    live.commit();
    const first = await live.ask();
    for (let at = 2; at < 40; at += 1) {
      live.publish(handBlock(at, NOW - 400 + at * 10, { swaps: [sold(at % 3 === 0 ? MOON : DOGE, 20 + at, 1)] }));
      if (at % 5 === 0) await live.ask();
      if (at % 7 === 0) live.commit();
    }
    const last = handBlock(40, NOW, { swaps: [sold(DOGE, 99, 40)] });
    live.publish(last);
    const with99 = await live.ask();
    live.withdraw();
    const without = await live.ask();
    expect([with99.slot, with99.data[0]?.progress_pct]).toEqual([last.slot, 99]);
    expect([without.slot, without.data.some(({ progress_pct }) => progress_pct === 99)]).toEqual([
      last.slot - 1,
      false,
    ]);
    live.commit();
    await live.settle();
    expect((await live.askAnew()).data).toEqual((await live.ask()).data);
    expect(first.mints).toEqual([MOON, DOGE]);
  });

  it('are told as the store has them when it learns of other swaps', async () => {
    const live = open();
    const [early, late, newest] = [
      handBlock(1, NOW - 500, { swaps: [sold(MOON, 20, 20)] }),
      handBlock(2, NOW - 400, { swaps: [sold(MOON, 50, 30), sold(DOGE, 30, 30)] }),
      handBlock(3, NOW, { swaps: [sold(MOON, 60, 10)] }),
    ];
    live.publish(born(MOON, DOGE), early, newest);
    live.commit();
    // What the newest swap found was left behind by one that is missing.
    const moon = { mint: MOON, velocity_pct_per_min: 2 };
    expect((await live.ask()).data).toMatchObject([moon]);
    live.arriveLate(late);
    await live.settle();
    await live.settle();
    expect((await live.ask()).data).toMatchObject([moon, { mint: DOGE, velocity_pct_per_min: 0 }]);
  });

  it('are ranked once between two blocks, whoever asks for which of them', async () => {
    const live = open();
    const swaps = [sold(MOON, 30, 30), sold(DOGE, 70, 10), sold(FROG, 10, 5)];
    live.publish(born(MOON, DOGE, FROG), handBlock(1, NOW, { swaps }));
    live.commit();
    await live.ask();
    const ranked = vi.spyOn(CurveRanking, 'of');
    for (let percent = 0; percent < 20; percent += 1) {
      expect((await live.ask({ min_progress: percent, sort: 'eta' })).mints).toContain(MOON);
      expect((await live.ask({ min_progress: percent, limit: 1 })).mints).toEqual([MOON]);
    }
    expect(ranked).not.toHaveBeenCalled();
    live.publish(handBlock(2, NOW, { swaps: [sold(FROG, 90, 80)] }));
    expect((await live.ask({ min_progress: 80 })).mints).toEqual([FROG]);
    expect((await live.ask({ sort: 'eta', limit: 1 })).mints).toEqual([FROG]);
    expect(ranked).toHaveBeenCalledTimes(1);
    ranked.mockRestore();
  });

  it('are of the slot that they tell while a block that came late is not stored', async () => {
    const live = open();
    live.publish(
      born(MOON, DOGE),
      handBlock(2, NOW - 9, { swaps: [sold(MOON, 20, 20)] }),
      handBlock(5, NOW - 8, { swaps: [] }),
    );
    live.commit();
    const first = await live.ask();
    live.publish(handBlock(3, NOW - 9, { swaps: [sold(DOGE, 30, 30)] }));
    for (let at = 6; at < 12; at += 1) {
      const newest = handBlock(at, NOW - 9 + at - 5, { swaps: [sold(MOON, at * 5, 5)] });
      live.publish(newest);
      const { data, slot, since } = await live.ask();
      expect([slot, data.find(({ mint }) => mint === MOON)?.progress_pct]).toEqual([newest.slot, at * 5]);
      // The late one is in nothing yet, and that is said.
      expect(since).toBe(new Date((NOW - 8) * 1_000).toISOString().replace('.000', ''));
    }
    live.commit();
    await live.settle();
    const whole = await live.ask();
    expect([first.mints, whole.mints, whole.since]).toEqual([[MOON], [MOON, DOGE], undefined]);
  });

  it('are those of blocks whose time has come, and stay whatever time one block tells', async () => {
    const live = open();
    live.publish(
      born(MOON, DOGE, FROG),
      handBlock(1, NOW - 20, { swaps: [sold(MOON, 20, 20)] }),
      handBlock(2, NOW - 19, { swaps: [sold(DOGE, 10, 10)] }),
      handBlock(3, NOW + 86_400, { swaps: [sold(FROG, 60, 60)] }),
      handBlock(4, NOW - 86_400, { swaps: [sold(MOON, 25, 5)] }),
      handBlock(5, NOW, { swaps: [] }),
    );
    expect((await live.ask()).mints).toEqual([MOON, DOGE]);
    expect((await live.ask({ sort: 'eta' })).mints).toEqual([MOON, DOGE]);
    live.commit();
    await live.settle();
    expect((await live.ask()).data).toEqual((await live.askAnew()).data);
    live.publish(handBlock(6, NOW + 100, { swaps: [] }), handBlock(7, NOW + 160, { swaps: [] }));
    expect((await live.ask()).mints).toEqual([MOON, DOGE]);
  });

  it('say since when windows are whole again, where late slots are still to be read', async () => {
    const live = open({ since: NOW - 3_000, staleSince: NOW - 40 });
    live.publish(born(MOON), handBlock(1, NOW, { swaps: [sold(MOON, 20, 20)] }));
    expect((await live.ask()).since).toBe(new Date((NOW - 40) * 1_000).toISOString().replace('.000', ''));
  });

  it('say since when, where an hour is not there, and are refused until windows stand', async () => {
    const begun = open({ since: NOW - 600 });
    begun.publish(born(MOON), handBlock(1, NOW, { swaps: [sold(MOON, 20, 20)] }));
    begun.commit();
    expect((await begun.ask()).since).toBe(new Date((NOW - 600) * 1_000).toISOString().replace('.000', ''));
    const whole = open({ since: NOW - 3_600 });
    whole.publish(born(MOON), handBlock(1, NOW, { swaps: [sold(MOON, 20, 20)] }));
    expect((await whole.ask()).since).toBeUndefined();
    const cold = open({ reading: (reads) => ({ ...reads, newest: () => new Promise<never>(() => {}) }) });
    await expect(cold.ask()).rejects.toMatchObject({ code: 'warming_up' });
  });
});
