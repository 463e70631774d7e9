import { Type } from 'typebox';
import type { ErrorCode } from './errors.ts';
import { type Parameter, parameter } from './parameter.ts';

/** Longer texts say nothing that a shorter one does not. */
const MAX_CHARS = 32;
const FORM = /^(?:(?:\d+(?:\.\d*)?|\.\d+)[hms])+$/;
const PART = /(\d*)(?:\.(\d*))?([hms])/g;
const NANOSECONDS: Readonly<Record<string, bigint>> = { h: 3_600_000_000_000n, m: 60_000_000_000n, s: 1_000_000_000n };
const SECOND = 1_000_000_000n;
const MINUTE = 60n * SECOND;

/**
 * Nanoseconds of a duration as Go writes them, in hours, minutes and seconds: `24h`, `1h30m`, `1.5h`. Of a fraction what
 * is finer than a nanosecond is cut off, as Go does. Undefined for anything else, `7d` and `90` among it.
 */
export function parseDuration(text: string): bigint | undefined {
  if (text.length > MAX_CHARS || !FORM.test(text)) return undefined;
  let sum = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of text.matchAll(PART)) {
    const length = NANOSECONDS[unit]!;
    sum += BigInt(whole || '0') * length + (BigInt(fraction || '0') * length) / 10n ** BigInt(fraction.length);
  }
  return sum;
}

export interface DurationOptions {
  /** All three as durations. */
  readonly fallback: string;
  readonly min: string;
  readonly max: string;
  readonly error: ErrorCode;
  readonly description: string;
  /** What durations above others are read to, instead of minutes, the longest last: what each costs is shared by more. */
  readonly steps?: readonly { readonly above: string; readonly step: string }[];
}

/** A duration between two others in seconds, read to whole minutes or longer steps: a part of one counts as one. */
export function durationParameter(options: DurationOptions): Parameter<number> {
  const { fallback, min, max, error, description } = options;
  const [least, most] = [knownDuration(min), knownDuration(max)];
  const steps = (options.steps ?? []).map(({ above, step }) => [knownDuration(above), knownDuration(step)] as const);
  const wholeSteps = (duration: bigint) => {
    const [, step] = steps.findLast(([above]) => duration > above) ?? [0n, MINUTE];
    return Number(((duration + step - 1n) / step) * (step / SECOND));
  };
  return parameter({
    schema: Type.String({ pattern: FORM.source, maxLength: MAX_CHARS, default: fallback, description }),
    parse: (text) => {
      const duration = parseDuration(text);
      return duration === undefined || duration < least || duration > most ? undefined : wholeSteps(duration);
    },
    absent: wholeSteps(knownDuration(fallback)),
    error,
    expected: `must be a duration of h, m and s from ${min} to ${max}, such as 24h or 1h30m`,
    details: { min, max },
  });
}

export interface WindowOptions<Name extends string> {
  /** Seconds of each window by its name. */
  readonly windows: Readonly<Record<Name, number>>;
  readonly fallback: Name;
  readonly description: string;
}

/** One of some windows, named or as a duration that is as long: `60m` is `1h`. */
export function windowParameter<Name extends string>({
  windows,
  fallback,
  description,
}: WindowOptions<Name>): Parameter<Name> {
  const names = Object.keys(windows) as Name[];
  const byLength = new Map(names.map((name) => [BigInt(windows[name]) * SECOND, name]));
  return parameter({
    schema: Type.String({ maxLength: MAX_CHARS, default: fallback, description, examples: names }),
    parse: (text) => names.find((name) => name === text) ?? byLength.get(parseDuration(text) ?? -1n),
    absent: fallback,
    error: 'invalid_window',
    expected: `must be one of ${names.join(', ')}`,
    details: { allowed: names },
  });
}

function knownDuration(text: string): bigint {
  const duration = parseDuration(text);
  if (duration === undefined) throw new RangeError(`${text} is no duration`);
  return duration;
}
