import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TokenCreated } from '../../facts/fact.ts';
import { COPY_KINDS, type CopyKind } from '../copy-profile.ts';
import { createMetadataTransport } from '../metadata-transport.ts';
import { createSimulator } from '../simulator.ts';
import type { Scheme } from '../truth.ts';

const SEED = 'copycats';
const BLOCKS = 420;
/** Bytes of the first blocks of a seed as they were before there were copycats. */
const KNOWN = { seed: 'known', blocks: 60, hash: '693ed06ece2568b39bbc7723cc603d1a689dfd66c123b9301fe8647bc7c850c0' };

const schemes: Scheme[] = [];
const created = new Map<string, TokenCreated>();
const document = createMetadataTransport(SEED);

beforeAll(() => {
  const simulator = createSimulator({ seed: SEED, sign: false, copycats: true });
  for (let count = 0; count < BLOCKS; count += 1) {
    const { truth } = simulator.next();
    schemes.push(...truth.schemes.filter(({ original }) => original !== undefined));
    for (const each of truth.facts('wire').created) created.set(each.mint, each);
  }
});

interface Told {
  readonly copy: TokenCreated;
  readonly original: TokenCreated;
}

/** Copies of a kind that came onto the chain. */
function told(kind: CopyKind): Told[] {
  return schemes.flatMap((scheme) => {
    const [copy, original] = [created.get(scheme.mint), created.get(scheme.original ?? '')];
    return scheme.kind === kind && copy !== undefined && original !== undefined ? [{ copy, original }] : [];
  });
}

/** The number of the post that a token's document links. */
function postOf({ uri }: TokenCreated): string | undefined {
  const text = document(uri);
  return text === undefined ? undefined : /\/status\/(\d+)/.exec(text)?.[1];
}

describe('copycats', () => {
  it('leave chains of known seeds as they were, byte for byte', () => {
    const simulator = createSimulator({ seed: KNOWN.seed, sign: false });
    const sum = createHash('sha256');
    for (let count = 0; count < KNOWN.blocks; count += 1) sum.update(simulator.next().geyser());
    expect(sum.digest('hex')).toBe(KNOWN.hash);
  });

  it('make every kind of copy several times, each of a coin that was there before', () => {
    for (const kind of COPY_KINDS) expect([kind, told(kind).length > 3]).toEqual([kind, true]);
    for (const { copy, original } of COPY_KINDS.flatMap(told)) {
      expect(original.slot).toBeLessThan(copy.slot);
      expect(original.creator).not.toBe(copy.creator);
    }
    expect(new Set(schemes.map(({ mint }) => mint)).size).toBe(schemes.length);
  });

  it('take names over as they are, and tickers under names of their own', () => {
    for (const { copy, original } of told('name_taken')) {
      expect([copy.name, copy.symbol]).toEqual([original.name, original.symbol]);
    }
    for (const { copy, original } of told('ticker_taken')) expect(copy.symbol).toBe(original.symbol);
    const tickers = told('ticker_taken');
    expect(tickers.some(({ copy, original }) => copy.name !== original.name)).toBe(true);
  });

  it('clone names in letters that look alike, and are others', () => {
    const clones = told('homoglyph_clone');
    for (const { copy, original } of clones) {
      expect(copy.name).not.toBe(original.name);
      expect(copy.symbol).not.toBe(original.symbol);
    }
    const all = clones.map(({ copy }) => copy.name).join('');
    expect(
      [/\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /[\u200b\u200c]/, /[\uff01-\uff5e]/].map((p) => p.test(all)),
    ).toEqual([true, true, true, true]);
  });

  it('link posts of others, in several writings of one link', () => {
    const posts = new Map<string, Set<string>>();
    for (const { copy, original } of told('tweet_shared')) {
      const post = postOf(copy);
      expect(post).toBe(postOf(original));
      expect(post).toBeDefined();
      const tokens = posts.get(post!) ?? new Set([original.mint]);
      posts.set(post!, tokens.add(copy.mint));
    }
    expect(Math.max(...[...posts.values()].map(({ size }) => size))).toBeGreaterThan(2);
    for (const kind of ['name_taken', 'homoglyph_clone', 'ticker_taken'] as const) {
      for (const { copy } of told(kind)) expect(postOf(copy)).toBeUndefined();
    }
  });

  it('have documents that nobody else’s seed knows', () => {
    const strangers = createMetadataTransport('another');
    for (const { copy } of COPY_KINDS.flatMap(told)) {
      expect(strangers(copy.uri)).toBeUndefined();
      expect(document(copy.uri.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')))).toBeUndefined();
    }
  });
});
