import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extent } from '../../test/support/extent.ts';
import { address } from '../../test/support/token-world-rows.ts';
import { USUAL_TOKENS } from '../token/curve-progress.ts';
import { CurveBook, type CurveSample } from './curve-book.ts';

const NOW = 1_790_000_000;
const [MOON, DOGE] = [11, 12].map(address) as [ReturnType<typeof address>, ReturnType<typeof address>];
const SECOND = 400;

/** Raw tokens left when so many percent are sold. */
const leftAt = (percent: number) => (USUAL_TOKENS * BigInt(Math.round((100 - percent) * 1_000))) / 100_000n;

interface Move {
  /** Seconds before now. */
  readonly ago: number;
  /** Percent sold before it and behind it. */
  readonly from: number;
  readonly to: number;
}

/** A curve that moved so, and was born so long ago when that was seen. */
function curveOf(moves: readonly Move[], bornAgo?: number, book = new CurveBook()): CurveBook {
  const births = bornAgo === undefined ? [] : [{ mint: MOON, slot: slotOf(bornAgo), time: NOW - bornAgo }];
  book.add(births, [], NOW);
  for (const { ago, from, to } of moves) {
    const sample = { mint: MOON, slot: slotOf(ago), time: NOW - ago, before: leftAt(from), left: leftAt(to) };
    book.add([], [sample], NOW - ago);
  }
  return book;
}

const slotOf = (ago: number) => 10_000_000 - ago * SECOND;

function figuresOf(book: CurveBook, now = NOW) {
  const [figures] = book.figures(now);
  if (figures === undefined) return undefined;
  const { velocity, eta, stalled } = figures;
  return { velocity: Number(velocity.toFixed(6)), eta: eta === undefined ? undefined : Math.round(eta), stalled };
}

describe('how fast a curve moves', () => {
  it('is what it sold in five minutes, and says when it is sold out', () => {
    const book = curveOf([
      { ago: 1_000, from: 20, to: 30 },
      { ago: 200, from: 30, to: 40 },
      { ago: 10, from: 40, to: 45 },
    ]);
    expect(figuresOf(book)).toEqual({ velocity: 3, eta: 1_100, stalled: false });
  });

  it('holds what came at the first second of the five minutes, and nothing of a large buy the second before', () => {
    const at = (ago: number) => figuresOf(curveOf([{ ago, from: 10, to: 60 }]));
    expect(at(300)).toEqual({ velocity: 10, eta: 240, stalled: false });
    expect(at(301)).toEqual({ velocity: 0, eta: undefined, stalled: false });
    expect(at(601)).toEqual({ velocity: 0, eta: undefined, stalled: true });
  });

  it('is nothing of a wallet that buys and sells the same in a loop, which is stalled with it', () => {
    const loop = Array.from({ length: 700 }, (_, at) => ({
      ago: 700 - at,
      from: at % 2 === 0 ? 20 : 50,
      to: at % 2 === 0 ? 50 : 20,
    }));
    expect(figuresOf(curveOf([{ ago: 900, from: 0, to: 20 }, ...loop]))).toEqual({
      ...{ velocity: 0, eta: undefined, stalled: true },
    });
  });

  it('is below nothing where more is sold back', () => {
    const book = curveOf([
      { ago: 400, from: 10, to: 60 },
      { ago: 100, from: 60, to: 40 },
    ]);
    expect(figuresOf(book)).toEqual({ velocity: -4, eta: undefined, stalled: false });
  });

  it('comes without an end where the curve has fallen back behind what it had sold ten minutes ago', () => {
    const book = curveOf([
      { ago: 700, from: 10, to: 60 },
      { ago: 400, from: 60, to: 40 },
      { ago: 100, from: 40, to: 50 },
    ]);
    expect(figuresOf(book)).toEqual({ velocity: 2, eta: undefined, stalled: true });
  });

  it('is over its age when a curve is younger, and over a minute when nobody knows yet what it does in one', () => {
    const dev = { ago: 120, from: 0, to: 30 };
    expect(figuresOf(curveOf([dev], 120))).toEqual({ velocity: 15, eta: 280, stalled: false });
    // Its maker buys in the second in which he makes it: it would be the fastest of all.
    expect(figuresOf(curveOf([{ ...dev, ago: 0 }], 0))).toEqual({ velocity: 30, eta: 140, stalled: false });
    expect(figuresOf(curveOf([{ ...dev, ago: 599 }], 599))).toMatchObject({ velocity: 0, stalled: false });
    expect(figuresOf(curveOf([{ ...dev, ago: 601 }], 601))).toMatchObject({ velocity: 0, stalled: true });
  });

  it('is not led astray by a block of tomorrow', () => {
    const book = curveOf([
      { ago: 400, from: 10, to: 20 },
      { ago: 200, from: 20, to: 30 },
    ]);
    book.add(
      [],
      [{ mint: DOGE, slot: slotOf(100), time: NOW + 86_400, before: leftAt(0), left: leftAt(1) }],
      NOW - 100,
    );
    book.add([], [{ mint: MOON, slot: slotOf(50), time: NOW - 50, before: leftAt(30), left: leftAt(35) }], NOW - 50);
    expect(figuresOf(book)).toEqual({ velocity: 3, eta: 1_300, stalled: false });
  });

  it('is told of no curve that is sold out, that rested for an hour, or of which nobody knows what it had', () => {
    expect(figuresOf(curveOf([{ ago: 10, from: 90, to: 100 }]))).toBeUndefined();
    expect(figuresOf(curveOf([{ ago: 3_600, from: 10, to: 20 }]))).toBeDefined();
    expect(figuresOf(curveOf([{ ago: 3_601, from: 10, to: 20 }]))).toBeUndefined();
    const book = curveOf([{ ago: 10, from: 10, to: 20 }]);
    expect(book.learn(MOON, { initial: undefined, bornAt: undefined })).toBe(true);
    expect(book.learn(MOON, { initial: undefined, bornAt: undefined })).toBe(false);
    expect(figuresOf(book)).toBeUndefined();
    expect(book.learn(MOON, { initial: 2n * USUAL_TOKENS, bornAt: undefined })).toBe(true);
    expect(figuresOf(book)).toMatchObject({ velocity: 1 });
  });
});

const shape = fc.array(fc.record({ gap: fc.constantFrom(0, 1, 5, 59, 121, 299, 601, 2_000), percent: fc.nat(99) }), {
  minLength: 1,
  maxLength: 40,
});

describe('a book of curves', () => {
  it('stands where one stands that never saw what was withdrawn, and forgets nothing that counts', () => {
    fc.assert(
      fc.property(shape, fc.array(fc.nat(6), { maxLength: 6 }), (moves, withdrawals) => {
        const samples: CurveSample[] = [];
        let [time, left] = [NOW, USUAL_TOKENS];
        for (const [at, { gap, percent }] of moves.entries()) {
          time += gap;
          const next = leftAt(percent);
          samples.push({ mint: MOON, slot: 1_000 + at, time, before: left, left: next });
          left = next;
        }
        const book = new CurveBook();
        for (const [at, sample] of samples.entries()) {
          book.add([], [sample], sample.time);
          // Blocks that are withdrawn are the newest, and come again.
          const back = Math.min(withdrawals[at % Math.max(withdrawals.length, 1)] ?? 0, at);
          const again = samples.slice(at + 1 - back, at + 1).filter((each) => each.time > sample.time - 60);
          if (again.length === 0 || again.length === samples.length) continue;
          book.takeBack([MOON], again[0]!.slot);
          for (const each of again) book.add([], [each], each.time);
        }
        const plain = new CurveBook();
        plain.add([], samples.slice(0, 1), NOW);
        for (const sample of samples.slice(1)) plain.add([], [sample], NOW);
        for (const later of [0, 60, 299, 301, 700]) {
          expect(book.figures(time + later)).toEqual(plain.figures(time + later));
        }
      }),
      { numRuns: extent(300, 5_000) },
    );
  });

  it('lets go of curves that nobody trades any more, and of what no figure is made of', () => {
    const book = new CurveBook();
    for (let at = 0; at < 2_000; at += 1) {
      const time = NOW + at * 4;
      const mint = at < 500 ? address(at % 250) : MOON;
      book.add([{ mint: address(251), slot: at, time }], [{ mint, slot: at, time, before: 2n, left: 1n }], time);
    }
    expect(book.size).toBe(1);
    expect(book.held).toBeLessThan(300);
  });
});
