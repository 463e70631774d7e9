import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extent } from '../../test/support/extent.ts';
import { address } from '../../test/support/token-world-rows.ts';
import type { Address } from '../chain/address.ts';
import { USUAL_TOKENS } from '../token/curve-progress.ts';
import { CurveBook, type CurveSample } from './curve-book.ts';

const NOW = 1_790_000_000;
const MINTS = [11, 12, 13].map(address).sort() as [Address, Address, Address];
const [MOON, DOGE, FROG] = MINTS;
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

/** All curves that are listed. */
const listOf = (book: CurveBook, now = NOW) =>
  [...book.mints()].sort().flatMap((mint) => book.figures(mint, { now }) ?? []);

function figuresOf(book: CurveBook, now = NOW) {
  const figures = book.figures(MOON, { now });
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
    expect(listOf(book).map(({ mint }) => mint)).toEqual([MOON]);
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

/** What is wrong with a block's time, seconds. */
const wrong = fc.constantFrom(0, 0, 0, 0, 86_400, 200, -86_400, -90_000);
const shape = fc.array(
  fc.record({ gap: fc.constantFrom(0, 1, 5, 59, 121, 299, 601, 2_000), percent: fc.nat(99), who: fc.nat(2), wrong }),
  { minLength: 1, maxLength: 40 },
);

/** The list in plain words, out of all samples of blocks whose time could be true when they came. */
function plainly(samples: readonly CurveSample[], now: number) {
  return MINTS.flatMap((mint) => {
    const own = samples.filter((each) => each.mint === mint && each.time <= now);
    const newest = own.at(-1);
    if (newest === undefined || newest.time < now - 3_600 || newest.left === 0n) return [];
    const before = (seconds: number) => own.find(({ time }) => time >= now - seconds)?.before ?? newest.left;
    const sold = (Number(before(300) - newest.left) / Number(USUAL_TOKENS)) * 100;
    return [{ mint, velocity: (sold / 5).toFixed(9), stalled: newest.left >= before(600), left: newest.left }];
  });
}

function told(book: CurveBook, now: number) {
  return listOf(book, now).map(({ mint, velocity, stalled, unsold }) => ({
    ...{ mint, velocity: velocity.toFixed(9), stalled },
    left: BigInt(Math.round(unsold * Number(USUAL_TOKENS))),
  }));
}

describe('a book of curves', () => {
  it('lists what a plain look at all samples does, whatever was withdrawn, and whatever times single blocks tell', () => {
    let listed = 0;
    fc.assert(
      fc.property(shape, fc.array(fc.nat(6), { maxLength: 6 }), (moves, withdrawals) => {
        const blocks: { readonly now: number; readonly sample: CurveSample }[] = [];
        const lefts = new Map(MINTS.map((mint) => [mint, USUAL_TOKENS]));
        let now = NOW;
        for (const [at, { gap, percent, who, ...block }] of moves.entries()) {
          now += gap;
          const mint = MINTS[who]!;
          const left = leftAt(percent);
          blocks.push({
            now,
            sample: { mint, slot: 1_000 + at, time: now + block.wrong, before: lefts.get(mint)!, left },
          });
          lefts.set(mint, left);
        }
        const book = new CurveBook();
        for (const [at, block] of blocks.entries()) {
          book.add([], [block.sample], block.now);
          // Blocks that are withdrawn are the newest, and come again.
          const back = Math.min(withdrawals[at % Math.max(withdrawals.length, 1)] ?? 0, at);
          const again = blocks.slice(at + 1 - back, at + 1).filter((each) => each.now > block.now - 60);
          if (again.length === 0 || again.length === blocks.length) continue;
          book.takeBack(MINTS, again[0]!.sample.slot);
          for (const each of again) book.add([], [each.sample], each.now);
        }
        const believed = blocks.filter((each) => each.sample.time === each.now).map(({ sample }) => sample);
        // Two minutes ahead are reached by and by: they are told of by tests of their own.
        const isPlain = moves.every((each) => each.wrong !== 200);
        for (const later of isPlain ? [0, 60, 120] : []) {
          expect(told(book, now + later)).toEqual(plainly(believed, now + later));
          listed += plainly(believed, now + later).length;
        }
        expect(book.size).toBeLessThanOrEqual(MINTS.length);
      }),
      { numRuns: extent(300, 5_000) },
    );
    expect(listed).toBeGreaterThan(0);
  });

  const sample = (mint: Address, at: number, { time, from = 0, to = 10 }: Partial<Move> & { time: number }) => ({
    ...{ mint, slot: 1_000 + at, time, before: leftAt(from), left: leftAt(to) },
  });

  it('lists what a block of tomorrow sold when it is tomorrow, and nothing of it before', () => {
    const book = new CurveBook();
    book.add([], [sample(MOON, 1, { time: NOW, to: 20 })], NOW);
    book.add([{ mint: FROG, slot: 1_002, time: NOW + 86_400 }], [], NOW);
    book.add([], [sample(DOGE, 2, { time: NOW + 86_400 }), sample(FROG, 2, { time: NOW + 90 })], NOW + 1);
    const mints = (now: number) => listOf(book, now).map(({ mint }) => mint);
    expect(mints(NOW + 1)).toEqual([MOON]);
    for (let now = NOW + 2; now < NOW + 90; now += 4) book.add([], [], now);
    expect(mints(NOW + 89)).toEqual([MOON]);
    book.add([], [], NOW + 90);
    expect(mints(NOW + 90)).toEqual([MOON, FROG].sort());
    // And goes as others do.
    for (let now = NOW + 91; now < NOW + 8_000; now += 60) book.add([], [], now);
    expect([mints(NOW + 8_000), book.size, book.held]).toEqual([[], 0, 0]);
    book.add([], [], NOW + 86_399);
    book.add([], [], NOW + 86_400);
    expect(mints(NOW + 86_400)).toEqual([DOGE]);
    book.takeBack([DOGE], 1_002);
    expect(mints(NOW + 86_400)).toEqual([]);
  });

  it('counts nothing of a block that ran ahead where a later one has found what it left', () => {
    const book = new CurveBook();
    book.add([], [sample(MOON, 1, { time: NOW, to: 20 })], NOW);
    book.add([], [sample(MOON, 2, { time: NOW + 400, from: 20, to: 70 })], NOW + 1);
    book.add([], [sample(MOON, 3, { time: NOW + 2, from: 70, to: 75 })], NOW + 2);
    const then = { velocity: book.figures(MOON, { now: NOW + 300 })?.velocity.toFixed(6), held: book.held };
    book.add([], [], NOW + 400);
    expect([then.velocity, book.held - then.held]).toEqual(['15.000000', 0]);
    expect(figuresOf(book, NOW + 400)).toMatchObject({ velocity: 0, stalled: false });
  });

  it('keeps a curve behind which a block tells a time of yesterday, or none', () => {
    const book = new CurveBook();
    book.add([], [sample(MOON, 1, { time: NOW, to: 20 }), sample(DOGE, 1, { time: NOW, to: 30 })], NOW);
    const expected = listOf(book, NOW + 5);
    book.add([], [sample(MOON, 2, { time: NOW - 86_400, to: 60 }), sample(DOGE, 2, { time: 0, to: 70 })], NOW + 5);
    expect(listOf(book, NOW + 5)).toEqual(expected);
    for (let now = NOW + 6; now < NOW + 200; now += 10) book.add([], [], now);
    expect(listOf(book, NOW + 200).map(({ mint }) => mint)).toEqual([MOON, DOGE].sort());
    // One that is behind the one before it leaves the hour with that.
    book.add([], [sample(MOON, 3, { time: NOW - 3_000, from: 60, to: 65 })], NOW + 201);
    for (let now = NOW + 202; now <= NOW + 3_600; now += 20) book.add([], [], now);
    expect(listOf(book, NOW + 3_600).map(({ mint, progress }) => [mint, progress])).toContainEqual([MOON, 65]);
    expect(listOf(book, NOW + 3_601)).toEqual([]);
  });

  it('has no age for a curve whose block told a birth to come', () => {
    const book = new CurveBook();
    book.add([], [sample(MOON, 1, { time: NOW, to: 50 })], NOW);
    book.learn(MOON, { initial: USUAL_TOKENS, bornAt: NOW + 86_400 });
    expect(figuresOf(book)).toMatchObject({ velocity: 10 });
  });

  it('takes those for usual again of which something else is known', () => {
    const book = new CurveBook();
    book.add([], [sample(MOON, 1, { time: NOW })], NOW);
    book.learn(MOON, { initial: undefined, bornAt: undefined });
    expect(listOf(book)).toEqual([]);
    book.forget([MOON, DOGE]);
    expect(listOf(book).map(({ mint }) => mint)).toEqual([MOON]);
  });

  it('tells what it holds, and lets go of those that rest the longest beyond it', () => {
    const book = new CurveBook(40 * 1_024);
    const mints = Array.from({ length: 200 }, (_, at) => address(at + 1));
    for (const [at, mint] of mints.entries()) {
      book.add([], [sample(mint, 2 * at, { time: NOW + at })], NOW + at);
      book.add([], [sample(mints[0]!, 2 * at + 1, { time: NOW + at })], NOW + at);
    }
    expect(book.size + book.evicted).toBe(200);
    expect(book.evicted).toBeGreaterThan(50);
    const kept = listOf(book, NOW + 200).map(({ mint }) => mint);
    expect(new Set(kept)).toEqual(new Set([mints[0]!, ...mints.slice(-(book.size - 1))]));
    expect(book.bytes).toBeGreaterThan(book.held * 28);
    const before = book.held;
    book.takeBack(mints, 0);
    expect([before > 200, book.held, book.size]).toEqual([true, 0, 0]);
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
    expect(book.bytes).toBeLessThan(300_000);
  });
});
