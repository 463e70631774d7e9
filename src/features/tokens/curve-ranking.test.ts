import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Address } from '../../chain/address.ts';
import { systemClock } from '../../kernel/clock.ts';
import { CurveBook } from '../../market/curve-book.ts';
import { Portions } from '../../market/portions.ts';
import { USUAL_TOKENS } from '../../token/curve-progress.ts';
import { CurveRanking } from './curve-ranking.ts';
import { COMPARE_CURVES } from './graduating-rules.ts';

const NOW = 1_790_000_000;

const mintOf = (at: number) => `mint ${at}` as Address;

/** Whose every look at it is milliseconds behind the one before. */
function slowClock() {
  let elapsed = 0;
  return {
    ...systemClock,
    elapsed: () => {
      elapsed += 3;
      return elapsed;
    },
  };
}

/** Curves that sold so many thousandths in the last minute, one each. */
function bookOf(sold: readonly number[]): CurveBook {
  const book = new CurveBook();
  const samples = sold.map((share, at) => {
    const left = USUAL_TOKENS - (USUAL_TOKENS * BigInt(share)) / 1_000n;
    return { mint: mintOf(at), slot: 1, time: NOW - (share % 60), before: USUAL_TOKENS, left };
  });
  book.add([], samples, NOW);
  return book;
}

it('ranks curves as a plain sort does, in both orders, whatever is learnt of some behind it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(999), { minLength: 1, maxLength: 250 }),
      fc.array(fc.nat(249)),
      fc.nat(99),
      async (sold, learnt, min_progress) => {
        const book = bookOf(sold);
        const ranking = await CurveRanking.of(book, { now: NOW }, new Portions(slowClock()));
        const mints = [...new Set(learnt)].filter((at) => at < sold.length).map((at) => mintOf(at));
        for (const [at, mint] of mints.entries()) {
          book.learn(mint, { initial: at % 3 === 0 ? undefined : 2n * USUAL_TOKENS, bornAt: undefined });
        }
        ranking.relearn(mints);
        const figures = [...book.mints()].flatMap((mint) => book.figures(mint, { now: NOW }) ?? []);
        for (const sort of ['velocity', 'eta'] as const) {
          const plain = [...figures].sort(COMPARE_CURVES[sort]).filter(({ progress }) => progress >= min_progress);
          expect(ranking.first({ sort, min_progress }, 50)).toEqual(plain.slice(0, 50).map(({ mint }) => mint));
        }
      },
    ),
    { numRuns: 40 },
  );
});

it('lets others have their turns, and is of the moment at which it began', async () => {
  const book = bookOf(Array.from({ length: 3_000 }, (_, at) => at % 997));
  let turns = 0;
  let isDone = false;
  const ranked = CurveRanking.of(book, { now: NOW, slot: 1 }, new Portions(slowClock())).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await setImmediate();
    turns += 1;
    const late = { mint: mintOf(turns % 3_000), slot: 1 + turns, time: NOW, before: 10n, left: 1n };
    book.add([], [late], NOW);
  }
  expect(turns).toBeGreaterThan(10);
  const plain = await CurveRanking.of(
    bookOf(Array.from({ length: 3_000 }, (_, at) => at % 997)),
    { now: NOW },
    new Portions(slowClock()),
  );
  const all = { sort: 'velocity', min_progress: 0 } as const;
  expect((await ranked).first(all, 3_000)).toEqual(plain.first(all, 3_000));
});

it('ends when nobody waits for it any more', async () => {
  const book = bookOf(Array.from({ length: 2_000 }, () => 5));
  const left = new Error('gone');
  await expect(CurveRanking.of(book, { now: NOW }, new Portions(slowClock(), { left }))).rejects.toBe(left);
});
