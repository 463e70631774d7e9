import type { TSchema } from 'typebox';
import type { Parameter } from '../../src/contract/parameter.ts';
import type { Random } from '../../src/simulator/random.ts';
import { HOSTILE_TEXTS, mutateText } from './hostile-texts.ts';

/** Texts seen so far, out of which acceptable values are made. */
export interface SeenTexts {
  /** Tokens that are known, oldest first. */
  readonly mints: readonly string[];
  readonly wallets: readonly string[];
  /** Cursors of any list: acceptable to one, hostile to the others. */
  readonly cursors: readonly string[];
  /** Ids of groups, streams and keys, whoever owns them. */
  readonly ids: readonly string[];
}

interface Shape {
  readonly type?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
}

const HOT = 16;
const ATTEMPTS = 20;
const MAX_LIST = 120;

/**
 * A text that the parameter's contract takes, found by asking it: the candidates are
 * words of its own documentation, numbers of its range, and what answers have shown.
 * Undefined when nothing was found.
 */
export function acceptableText(parameter: Parameter<unknown>, seen: SeenTexts, random: Random): string | undefined {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const text = candidate(parameter, seen, random);
    if (parameter.parse(text) !== undefined) return text;
  }
  return undefined;
}

/** A text at the parameter's bounds, a little beside them, or far from anything. */
export function unlikelyText(parameter: Parameter<unknown>, seen: SeenTexts, random: Random): string {
  switch (random.below(4)) {
    case 0:
      return boundaryText(parameter.schema, random);
    case 1:
      return mutateText(candidate(parameter, seen, random), random);
    case 2:
      return random.pick([...seen.cursors, ...seen.ids, ...HOSTILE_TEXTS]);
    default:
      return random.pick(HOSTILE_TEXTS);
  }
}

function candidate({ schema, repeats, expected }: Parameter<unknown>, seen: SeenTexts, random: Random): string {
  const { type, enum: words, minimum = 0, maximum = 100 } = schema as Shape;
  if (words !== undefined) return random.pick(words);
  if (type === 'integer') return random.chance(0.3) ? boundaryText(schema, random) : whole(minimum, maximum, random);
  if (repeats) {
    const count = random.chance(0.1) ? random.between(1, MAX_LIST) : random.between(1, 6);
    return Array.from({ length: count }, () => address(seen, random)).join(',');
  }
  switch (random.below(5)) {
    case 0:
      return address(seen, random);
    case 1:
      return time(random);
    case 2:
      return seen.cursors.length === 0 ? '' : random.pick(seen.cursors);
    case 3:
      return seen.ids.length === 0 ? '' : random.pick(seen.ids);
    default:
      return wordsOf(expected, random);
  }
}

/** Small pages are asked for more often: large ones say no more, and cost the service more than anything else here. */
function whole(low: number, high: number, random: Random): string {
  return String(random.chance(0.8) ? random.between(low, Math.min(high, low + 20)) : random.between(low, high));
}

function boundaryText(schema: TSchema, random: Random): string {
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema as Shape;
  return String(random.pick([minimum, minimum - 1, maximum, maximum + 1, -maximum, 0, 2 ** 31, 2 ** 53]));
}

function address(seen: SeenTexts, random: Random): string {
  const known = random.chance(0.8) ? seen.mints : seen.wallets;
  if (known.length === 0) return 'So11111111111111111111111111111111111111112';
  // Most ask for the same few tokens: each one asked for is read from the store first.
  return random.pick(random.chance(0.8) ? known.slice(0, HOT) : known);
}

function time(random: Random): string {
  const now = Date.now() - random.below(86_400_000);
  return random.pick([new Date(now).toISOString(), String(Math.floor(now / 1000)), String(now)]);
}

/** One or two words of what the contract says that it expects. */
function wordsOf(expected: string, random: Random): string {
  const words = expected.match(/[a-z0-9_]+/gi) ?? [''];
  return random.chance(0.5) ? random.pick(words) : `${random.pick(words)},${random.pick(words)}`;
}
