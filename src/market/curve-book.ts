import type { Address } from '../chain/address.ts';
import { USUAL_TOKENS } from '../token/curve-progress.ts';

const VELOCITY_S = 300;
const STALLED_S = 600;
const HOUR_S = 3_600;
/** A curve that is younger is taken to be so old: nobody knows what it does in a minute. */
const LEAST_AGE_S = 60;
/** So much longer is held: when the newest blocks are withdrawn, everything begins earlier again. */
const MARGIN_S = 120;
/** Between two looks at what is held for too long, seconds. */
const TIDY_S = 60;
const MINUTE_S = 60;
const PERCENT = 100;

/** What a slot left on a curve. Amounts are raw tokens. */
export interface CurveSample {
  readonly mint: Address;
  readonly slot: number;
  /** Unix seconds; 0 when the block tells none. */
  readonly time: number;
  /** On the curve before the first of its swaps, and behind the last one. */
  readonly before: bigint;
  readonly left: bigint;
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

/** How far a curve has come, and how fast. */
export interface CurveFigures {
  readonly mint: Address;
  readonly initial: bigint;
  readonly left: bigint;
  /** Percent of its tokens a minute, over five minutes or its age. */
  readonly velocity: number;
  /** Seconds until it is sold out at this velocity; undefined when it does not come nearer. */
  readonly eta: number | undefined;
  /** It has sold no more than ten minutes ago. */
  readonly stalled: boolean;
}

interface Curve {
  initial: bigint | undefined;
  bornAt: number | undefined;
  bornSlot: number;
  /** By slot, one each. */
  samples: CurveSample[];
}

/**
 * Curves in SOL that were traded in the last hour: what was left on them behind each slot of the last minutes. Pure:
 * whoever follows the feed tells which slots came and went. Some hundred bytes a curve, of which mainnet has ten thousand.
 */
export class CurveBook {
  readonly #curves = new Map<Address, Curve>();
  /** Births of curves that nobody traded yet. */
  readonly #births = new Map<Address, CurveBirth>();
  #tidiedAt = 0;

  get size(): number {
    return this.#curves.size;
  }

  /** Samples of all curves. */
  get held(): number {
    let held = 0;
    for (const { samples } of this.#curves.values()) held += samples.length;
    return held;
  }

  /** Takes the next slots in. `now`: what time it is on the chain, Unix seconds. */
  add(births: readonly CurveBirth[], samples: readonly CurveSample[], now: number): void {
    for (const birth of births) this.#bear(birth);
    for (const sample of samples) this.#sell(sample.time === 0 ? { ...sample, time: now } : sample);
    if (now - this.#tidiedAt >= TIDY_S || now < this.#tidiedAt) this.#tidy(now);
  }

  /** Takes slots from one on out again, of those tokens that they are about. */
  takeBack(mints: Iterable<Address>, slot: number): void {
    for (const mint of mints) {
      if ((this.#births.get(mint)?.slot ?? 0) >= slot) this.#births.delete(mint);
      const curve = this.#curves.get(mint);
      if (curve === undefined) continue;
      if (curve.bornSlot >= slot) Object.assign(curve, UNBORN);
      curve.samples = curve.samples.filter((sample) => sample.slot < slot);
      if (curve.samples.length === 0) this.#curves.delete(mint);
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

  /** All curves that are for sale and were traded in the hour that ends with this second, in no order. */
  figures(now: number): CurveFigures[] {
    const figures: CurveFigures[] = [];
    for (const [mint, { initial, ...curve }] of this.#curves) {
      const newest = curve.samples.at(-1)!;
      const { left } = newest;
      if (initial === undefined || left === 0n || newest.time < now - HOUR_S) continue;
      const age = curve.bornAt === undefined ? Number.POSITIVE_INFINITY : now - curve.bornAt;
      const velocity = velocityOf({ initial, left, before: leftBefore(curve.samples, now - VELOCITY_S) }, age);
      const isYoung = age < STALLED_S;
      const stalled = left >= (isYoung ? initial : leftBefore(curve.samples, now - STALLED_S));
      const eta = stalled || velocity <= 0 ? undefined : (percentOf(left, initial) / velocity) * MINUTE_S;
      figures.push({ mint, initial, left, velocity, eta, stalled });
    }
    return figures;
  }

  #bear(birth: CurveBirth): void {
    const curve = this.#curves.get(birth.mint);
    if (curve === undefined) this.#births.set(birth.mint, birth);
    else if (curve.bornAt === undefined)
      Object.assign(curve, { bornAt: birth.time || undefined, bornSlot: birth.slot });
  }

  #sell(sample: CurveSample): void {
    const { mint } = sample;
    const known = this.#curves.get(mint);
    if (known !== undefined) {
      known.samples.push(sample);
      return;
    }
    const birth = this.#births.get(mint);
    this.#births.delete(mint);
    const [bornAt, bornSlot] = [birth?.time || undefined, birth?.slot ?? 0];
    // Nearly all curves start with as many: whoever lists one learns whether this one did.
    this.#curves.set(mint, { initial: USUAL_TOKENS, bornAt, bornSlot, samples: [sample] });
  }

  /** Lets go of what no figure is made of any more. */
  #tidy(now: number): void {
    this.#tidiedAt = now;
    const since = now - STALLED_S - MARGIN_S;
    for (const [mint, birth] of this.#births) if (birth.time < since) this.#births.delete(mint);
    for (const [mint, curve] of this.#curves) {
      const { samples } = curve;
      if (samples.at(-1)!.time < now - HOUR_S - MARGIN_S) {
        this.#curves.delete(mint);
        continue;
      }
      let gone = 0;
      while (gone < samples.length - 1 && samples[gone + 1]!.time < since) gone += 1;
      if (gone > 0) curve.samples = samples.slice(gone);
    }
  }
}

const UNBORN = { bornAt: undefined, bornSlot: 0 } as const;

/** Tokens on a curve before the first swap of a second or later: what that swap found, where there was one. */
function leftBefore(samples: readonly CurveSample[], time: number): bigint {
  const next = samples[samples.findLastIndex((sample) => sample.time < time) + 1];
  return next?.before ?? samples.at(-1)!.left;
}

/** Percent a minute: since it was born, of a curve that is younger than five minutes. */
function velocityOf(
  { initial, left, before }: { readonly initial: bigint; readonly left: bigint; readonly before: bigint },
  age: number,
): number {
  const isYoung = age < VELOCITY_S;
  const sold = (isYoung ? initial : before) - left;
  const seconds = isYoung ? Math.max(age, LEAST_AGE_S) : VELOCITY_S;
  return (percentOf(sold, initial) / seconds) * MINUTE_S;
}

function percentOf(part: bigint, whole: bigint): number {
  return (Number(part) / Number(whole)) * PERCENT;
}
