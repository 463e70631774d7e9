import type { Address } from '../chain/address.ts';
import { USUAL_TOKENS } from '../token/curve-progress.ts';
import { type CurveFigures, figuresOf, STALLED_S, VELOCITY_S } from './curve-figures.ts';
import { CurveSamples, type CurveState, NONE, SAMPLE_BYTES } from './curve-samples.ts';

export const HOUR_S = 3_600;
/** So much longer is held: when the newest blocks are withdrawn, everything begins earlier again. */
export const MARGIN_S = 120;
/** Of so long every slot counts; of the hour before it the last one alone. */
export const RECENT_S = STALLED_S + MARGIN_S;
/** Between two looks at births that nobody traded, seconds. */
const TIDY_S = 60;
/** Curves that are looked at with every block, so that all of them have their turn within half a minute. */
const TIDIED_AT_ONCE = 256;
/** Samples ahead of the chain's time that are remembered, and births of curves without a swap; the oldest are forgotten first. */
const MOST_AHEAD = 10_000;
const MOST_BIRTHS = 50_000;
/** Of an object with its mint and its place in a map. */
const CURVE_BYTES = 320;
const AHEAD_BYTES = 120;
/** Curves that rest the longest are let go beyond it: five times what mainnet has. */
export const MAX_CURVE_BYTES = 64 * 1024 * 1024;

/** What a slot left on the curve of a token; time 0 when the block tells none. */
export interface CurveSample extends CurveState {
  readonly mint: Address;
}

export interface CurveBirth {
  readonly mint: Address;
  readonly slot: number;
  readonly time: number;
}

/** What a token's facts say of its curve. */
export interface CurveFacts {
  /** Raw tokens that it had for sale at first; undefined when nobody knows, or when it is not for sale any more. */
  readonly initial: bigint | undefined;
  /** Unix seconds; undefined while its creation was not seen. */
  readonly bornAt: number | undefined;
}

/** A moment on the chain: what came behind the slot does not count. */
export interface CurveMoment {
  /** Unix seconds. */
  readonly now: number;
  readonly slot?: number;
}

interface Curve {
  initial: bigint | undefined;
  bornAt: number | undefined;
  bornSlot: number;
  /** Place of its newest sample. By slot, and their times do not run backwards. */
  newest: number;
}

/**
 * Curves in SOL that were traded in the last hour: what was left on them behind each slot of the last minutes. Pure:
 * whoever follows the feed tells which slots came and went, and what time it is on the chain. Swaps ahead of it are
 * counted when it has come so far, those from before the hour not at all.
 */
export class CurveBook {
  /** The one that was traded the longest ago first. */
  readonly #curves = new Map<Address, Curve>();
  readonly #samples = new CurveSamples();
  /** Births of curves that nobody traded yet. */
  readonly #births = new Map<Address, CurveBirth>();
  readonly #maxBytes: number;
  #ahead: CurveSample[] = [];
  #tidying: Iterator<[Address, Curve]> | undefined;
  #tidiedAt = 0;
  #evicted = 0;

  constructor(maxBytes = MAX_CURVE_BYTES) {
    this.#maxBytes = maxBytes;
  }

  get size(): number {
    return this.#curves.size;
  }

  /** Samples of all curves. */
  get held(): number {
    return this.#samples.held;
  }

  /** About what all of it holds in memory. */
  get bytes(): number {
    const small = this.#births.size + this.#ahead.length;
    return this.#samples.bytes + this.#curves.size * CURVE_BYTES + small * AHEAD_BYTES;
  }

  /** Curves that were let go for want of room. */
  get evicted(): number {
    return this.#evicted;
  }

  /** All curves, in no order, whether they are listed or not. */
  mints(): IterableIterator<Address> {
    return this.#curves.keys();
  }

  /** Takes the next slots in. `now`: what time it is on the chain, Unix seconds. */
  add(births: readonly CurveBirth[], samples: readonly CurveSample[], now: number): void {
    this.#reach(now);
    for (const birth of births) this.#bear(birth);
    const since = now - HOUR_S - MARGIN_S;
    for (const sample of samples) {
      if (sample.time > now) this.#ahead.push(sample);
      // Where blocks tell no time, or one of long ago, their swaps are in no window of the hour.
      else if (sample.time > 0 && sample.time >= since) this.#sell(sample);
    }
    if (this.#ahead.length > MOST_AHEAD) this.#ahead = this.#ahead.slice(-MOST_AHEAD);
    this.#tidy(now);
    this.#shrink();
  }

  /** Takes slots from one on out again, of those tokens that they are about. */
  takeBack(mints: Iterable<Address>, slot: number): void {
    if (this.#ahead.length > 0) this.#ahead = this.#ahead.filter((sample) => sample.slot < slot);
    for (const mint of mints) {
      if ((this.#births.get(mint)?.slot ?? 0) >= slot) this.#births.delete(mint);
      const curve = this.#curves.get(mint);
      if (curve === undefined) continue;
      if (curve.bornSlot >= slot) Object.assign(curve, UNBORN);
      while (curve.newest !== NONE && this.#samples.slot(curve.newest) >= slot) {
        const gone = curve.newest;
        curve.newest = this.#samples.older(gone);
        this.#samples.release(gone);
      }
      if (curve.newest === NONE) this.#curves.delete(mint);
    }
  }

  /** Notes what the facts of a token say. True when that is something else than was known. */
  learn(mint: Address, { initial, bornAt }: CurveFacts): boolean {
    const curve = this.#curves.get(mint);
    if (curve === undefined || (curve.initial === initial && (bornAt ?? curve.bornAt) === curve.bornAt)) return false;
    curve.initial = initial;
    curve.bornAt = bornAt ?? curve.bornAt;
    return true;
  }

  /** Takes tokens for usual ones again, until somebody learns what their facts say now. */
  forget(mints: Iterable<Address>): void {
    for (const mint of mints) {
      const curve = this.#curves.get(mint);
      if (curve !== undefined) curve.initial = USUAL_TOKENS;
    }
  }

  /** A curve that is for sale and was traded in the hour that ends with this moment; undefined for any other. */
  figures(mint: Address, { now, slot = Number.POSITIVE_INFINITY }: CurveMoment): CurveFigures | undefined {
    const curve = this.#curves.get(mint);
    if (curve?.initial === undefined) return undefined;
    const { initial, bornAt } = curve;
    const samples = this.#samples;
    let newest = curve.newest;
    while (newest !== NONE && (samples.slot(newest) > slot || samples.time(newest) > now)) {
      newest = samples.older(newest);
    }
    if (newest === NONE || samples.time(newest) < now - HOUR_S) return undefined;
    const left = samples.left(newest);
    if (left === 0n) return undefined;
    let [five, ten] = [NONE, NONE];
    for (let at = newest; at !== NONE; at = samples.older(at)) {
      const time = samples.time(at);
      if (time < now - STALLED_S) break;
      ten = at;
      if (time >= now - VELOCITY_S) five = at;
    }
    return figuresOf({
      ...{ mint, initial, left },
      // What the first swap found; without one, nothing has moved.
      beforeFive: five === NONE ? left : samples.before(five),
      beforeTen: ten === NONE ? left : samples.before(ten),
      // A block that tells a time to come told a wrong one.
      age: bornAt === undefined || bornAt > now ? Number.POSITIVE_INFINITY : now - bornAt,
    });
  }

  /** The first sample of a second or later, of those up to one. */
  #firstSince(time: number, newest: number): number {
    const samples = this.#samples;
    let first = NONE;
    for (let at = newest; at !== NONE && samples.time(at) >= time; at = samples.older(at)) first = at;
    return first;
  }

  /** Counts what the chain's time has come up to. */
  #reach(now: number): void {
    if (!this.#ahead.some(({ time }) => time <= now)) return;
    const reached = this.#ahead.filter(({ time }) => time <= now);
    this.#ahead = this.#ahead.filter(({ time }) => time > now);
    for (const sample of reached) this.#sell(sample);
  }

  #bear(birth: CurveBirth): void {
    const curve = this.#curves.get(birth.mint);
    if (curve === undefined) this.#births.set(birth.mint, birth);
    else if (curve.bornAt === undefined)
      Object.assign(curve, { bornAt: birth.time || undefined, bornSlot: birth.slot });
  }

  #sell(sample: CurveSample): void {
    const { mint, slot, time } = sample;
    const known = this.#curves.get(mint);
    if (known === undefined) {
      const birth = this.#births.get(mint);
      this.#births.delete(mint);
      const [bornAt, bornSlot] = [birth?.time || undefined, birth?.slot ?? 0];
      // Nearly all curves start with as many: whoever lists one learns whether this one did.
      this.#curves.set(mint, { initial: USUAL_TOKENS, bornAt, bornSlot, newest: this.#samples.add(sample, NONE) });
      return;
    }
    const samples = this.#samples;
    // What it left was found by a later slot already, whose block did not run ahead.
    if (slot <= samples.slot(known.newest)) return;
    // A block that is behind the one before it leaves a window with that.
    known.newest = samples.add({ ...sample, time: Math.max(time, samples.time(known.newest)) }, known.newest);
    this.#curves.delete(mint);
    this.#curves.set(mint, known);
  }

  /** Lets go of what no figure is made of any more, a part of it. */
  #tidy(now: number): void {
    for (let looked = 0; looked < TIDIED_AT_ONCE; looked += 1) {
      this.#tidying ??= this.#curves.entries();
      const next = this.#tidying.next();
      if (next.done) {
        this.#tidying = undefined;
        break;
      }
      this.#tidyCurve(next.value, now);
    }
    if (now - this.#tidiedAt < TIDY_S && now >= this.#tidiedAt) return;
    this.#tidiedAt = now;
    for (const [mint, { time }] of this.#births) if (time < now - RECENT_S) this.#births.delete(mint);
    for (const mint of this.#births.keys()) {
      if (this.#births.size <= MOST_BIRTHS) break;
      this.#births.delete(mint);
    }
  }

  #tidyCurve([mint, { newest }]: readonly [Address, Curve], now: number): void {
    if (this.#samples.time(newest) < now - HOUR_S - MARGIN_S) {
      this.#drop(mint, newest);
      return;
    }
    const first = this.#firstSince(now - RECENT_S, newest);
    const last = first === NONE ? newest : this.#samples.older(first);
    if (last !== NONE) this.#samples.releaseOlder(last);
  }

  #shrink(): void {
    for (const [mint, { newest }] of this.#curves) {
      if (this.#samples.held * SAMPLE_BYTES + this.#curves.size * CURVE_BYTES <= this.#maxBytes) return;
      this.#drop(mint, newest);
      this.#evicted += 1;
    }
  }

  #drop(mint: Address, newest: number): void {
    this.#samples.releaseOlder(newest);
    this.#samples.release(newest);
    this.#curves.delete(mint);
  }
}

const UNBORN = { bornAt: undefined, bornSlot: 0 } as const;
