import { type CoinProfile, coinPost, coinProfile, documentUri, FIRST_COPY, hashOf } from './coin-profile.ts';
import { disguise } from './disguise.ts';

/**
 * Ways to live on another coin's fame: its name and ticker as they are; the same in letters that only look alike; its
 * ticker under a name of its own; a name of its own, and a document that links the other's post.
 */
export const COPY_KINDS = ['name_taken', 'homoglyph_clone', 'ticker_taken', 'tweet_shared'] as const;
export type CopyKind = (typeof COPY_KINDS)[number];

/** A coin that copies another one: a function of the chain's seed and these numbers. */
export interface Copy {
  readonly kind: CopyKind;
  /** Number of the coin that is copied, below 2^20. */
  readonly original: number;
  /** Of this copy among all of the chain, below 2^16. */
  readonly number: number;
}

const NUMBERS = 2 ** 16;
const ORIGINALS = 2 ** 20;

/** All of a copy in one number, which its document is found by. */
function numberOf({ kind, original, number }: Copy): number {
  return FIRST_COPY + (COPY_KINDS.indexOf(kind) * ORIGINALS + (original % ORIGINALS)) * NUMBERS + (number % NUMBERS);
}

/** The copy that a number stands for; undefined for a number that none has. */
export function copyOf(number: number): Copy | undefined {
  const rest = number - FIRST_COPY;
  const original = Math.floor(rest / NUMBERS);
  const kind = COPY_KINDS[Math.floor(original / ORIGINALS)];
  return kind && { kind, original: original % ORIGINALS, number: rest % NUMBERS };
}

/** True for numbers that a copy can name. */
export function canBeCopied(original: number): boolean {
  return original < ORIGINALS;
}

export function copyProfile(seed: string, copy: Copy): CoinProfile {
  const { kind, original, number } = copy;
  const uri = documentUri(hashOf(`${seed}/copy/${numberOf(copy)}`), numberOf(copy));
  return {
    ...named(kind, coinProfile(seed, original), coinProfile(`${seed}/copies`, number), number),
    uri,
    document: 'full',
  };
}

type Named = Pick<CoinProfile, 'name' | 'symbol'>;

function named(kind: CopyKind, taken: Named, own: Named, number: number): Named {
  switch (kind) {
    case 'name_taken':
      return { name: taken.name, symbol: taken.symbol };
    case 'homoglyph_clone':
      return { name: disguise(taken.name, number), symbol: disguise(taken.symbol, number) };
    case 'ticker_taken':
      return { name: own.name, symbol: taken.symbol };
    case 'tweet_shared':
      return { name: own.name, symbol: own.symbol };
  }
}

/** Ways in which people write a link to one and the same post. */
const WRITINGS: readonly ((post: string) => string)[] = [
  (post) => post,
  (post) => post.replace('//x.com/', '//twitter.com/'),
  (post) => `${post}?s=20`,
  (post) => `${post.replace('//x.com/', '//mobile.twitter.com/')}/photo/1`,
];

/** Link to the post of the coin that is copied; undefined for copies of another kind. */
export function copyPost(seed: string, { kind, original, number }: Copy): string | undefined {
  const post = kind === 'tweet_shared' ? coinPost(seed, original) : undefined;
  return post && WRITINGS[number % WRITINGS.length]!(post);
}
