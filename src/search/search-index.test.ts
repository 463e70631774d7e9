import { describe, expect, it } from 'vitest';
import { randomBetween } from '../../test/support/random.ts';
import { systemClock } from '../kernel/clock.ts';
import { MATCHES, type Match } from './answer-query.ts';
import { codePoints, editDistance, forgivenEdits } from './edit-distance.ts';
import { fold, lengthOf } from './fold.ts';
import type { NamedToken } from './name-table.ts';
import { readQuery } from './query.ts';
import { FEW, SearchIndex } from './search-index.ts';

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const WORDS = ['pepe', 'pep', 'dog', 'dogwifhat', 'wif', 'hat', 'bonk', 'РЕРЕ', 'Doge', 'cat', 'coin', '🐸', 'moon2'];
/** More than are put in order at once. */
const MANY = 3_000;

function pick<T>(all: ArrayLike<T>): T {
  return all[randomBetween(0, all.length - 1)]!;
}

function randomMint(): string {
  return Array.from({ length: 44 }, () => pick(BASE58)).join('');
}

function randomToken(slot: number): NamedToken {
  const word = () => (randomBetween(0, 3) > 0 ? pick(WORDS) : `${pick(WORDS)}${randomBetween(0, 99)}`);
  const name = Array.from({ length: randomBetween(0, 4) }, word).join(' ');
  const symbol = randomBetween(0, 9) === 0 ? '' : word().toUpperCase();
  return { mint: randomMint(), symbol, name, slot, within: randomBetween(0, 5), market: randomBetween(0, 3) };
}

const foldedTexts = new Map<string, string>();
function foldOnce(text: string): string {
  const folded = foldedTexts.get(text) ?? fold(text);
  foldedTexts.set(text, folded);
  return folded;
}

/** How a token fits, told by going through its texts. */
function plainMatch({ mint, symbol, name }: NamedToken, text: string, withTypos: boolean): Match | undefined {
  const query = foldOnce(text);
  const [ofSymbol, ofName] = [foldOnce(symbol), foldOnce(name)];
  const words = ofName.split(' ').map((_, at, all) => all.slice(at).join(' '));
  if (mint === text) return 'mint';
  if (query !== '') {
    if (ofSymbol === query) return 'symbol';
    if (ofName === query) return 'name';
    if (ofSymbol.startsWith(query)) return 'symbol_prefix';
    if (words.some((word) => word.startsWith(query))) return 'word_prefix';
  }
  if (mint.startsWith(text.trim())) return 'mint_prefix';
  const forgiven = forgivenEdits(lengthOf(query));
  if (!withTypos || forgiven === 0) return undefined;
  const terms = [ofSymbol, ofName, ...ofName.split(' ')].filter((term) => term !== '');
  const least = Math.min(...terms.map((term) => editDistance(codePoints(term), codePoints(query), 2)));
  return least <= forgiven ? (['one_typo', 'two_typos'] as const)[least - 1] : undefined;
}

function plainSearch(tokens: readonly NamedToken[], text: string, limit: number): readonly string[] {
  const ranked = (withTypos: boolean) =>
    tokens
      .flatMap((token) => {
        const match = plainMatch(token, text, withTypos);
        return match === undefined ? [] : [{ ...token, rank: MATCHES.indexOf(match) }];
      })
      .sort(
        (a, b) =>
          a.rank - b.rank ||
          b.market - a.market ||
          b.slot - a.slot ||
          b.within - a.within ||
          (a.mint < b.mint ? -1 : 1),
      );
  const begins = ranked(false);
  return (begins.length >= FEW ? begins : ranked(true)).slice(0, limit).map(({ mint }) => mint);
}

async function search(index: SearchIndex, text: string, limit = 20, upTo?: number): Promise<readonly string[]> {
  const found = await index.search(readQuery(text), { limit, ...(upTo === undefined ? {} : { upTo }) });
  return found.map(({ mint }) => mint);
}

function settle(index: SearchIndex): void {
  while (index.work());
}

const token = (name: string, rest: Partial<NamedToken> = {}): NamedToken => ({
  ...{ mint: randomMint(), symbol: '', name, slot: 1, within: 0, market: 0 },
  ...rest,
});

function indexOf(tokens: readonly NamedToken[]): SearchIndex {
  const index = new SearchIndex(systemClock);
  for (const each of tokens) index.add(each);
  return index;
}

describe('the index of names', () => {
  it('finds what going through all tokens finds, in the same order, while they come, move and go', async () => {
    const index = new SearchIndex(systemClock);
    const tokens = new Map<string, NamedToken>();
    for (let slot = 1; slot <= MANY; slot += 1) {
      const fresh = randomToken(slot);
      index.add(fresh);
      tokens.set(fresh.mint, fresh);
      const known = pick([...tokens.values()].slice(-50));
      const market = randomBetween(0, 3);
      index.setMarket(known.mint, market);
      tokens.set(known.mint, { ...known, market });
      if (slot % 7 === 0) {
        const gone = pick([...tokens.keys()].slice(-40));
        index.remove(gone);
        tokens.delete(gone);
      }
      if (slot % 11 === 0) index.work();
      if (slot % 211 !== 0) continue;
      const all = [...tokens.values()];
      const mint = pick(all).mint;
      const texts = ['pe', 'pepe', 'pepe w', 'wif hat', 'DOGWIFHTA', 'dogwfhta', 'bnok', 'zzzz', '🐸', '!!', 'moon29'];
      for (const text of [...texts, mint, mint.slice(0, 3), mint.slice(0, 2)]) {
        const limit = pick([1, 3, 20, 50]);
        expect(await search(index, text, limit), `${text} of ${slot}`).toEqual(plainSearch(all, text, limit));
      }
      expect(index.size).toBe(tokens.size);
    }
    settle(index);
    const all = [...tokens.values()];
    for (const text of ['do', 'coin', 'РЕРЕ', 'pepee'])
      expect(await search(index, text)).toEqual(plainSearch(all, text, 20));
  });

  it('ranks symbols before names, whole ones before beginnings, and these before typos', async () => {
    const tokens = [
      token('a', { symbol: 'bonk', mint: `A${randomMint().slice(1)}` }),
      token('Bonk'),
      token('x', { symbol: 'Bonkers' }),
      token('the bonker'),
      token('bank'),
    ];
    const index = indexOf(tokens);
    expect(await search(index, 'bonk')).toEqual(tokens.map(({ mint }) => mint));
  });

  it('finds a mint by its beginning, whose capitals count, and a whole one first of all', async () => {
    const whole = token('x', { mint: 'PEPEaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', market: 0 });
    const named = token('y', { symbol: whole.mint, market: 9 });
    const index = indexOf([whole, named]);
    expect(await search(index, whole.mint)).toEqual([whole.mint, named.mint]);
    expect(await search(index, 'PEPEaa')).toEqual([named.mint, whole.mint]);
    expect(await search(index, 'pepeaaaaa', 20)).toEqual([named.mint]);
  });

  it('tells nothing of later slots than it is asked for', async () => {
    const index = indexOf([token('pepe', { slot: 7 }), token('pepe', { slot: 9 })]);
    expect(await search(index, 'pepe', 20, 8)).toHaveLength(1);
    expect(await search(index, 'pepe', 20, 6)).toEqual([]);
  });

  it('gives names back as they came, and takes a second one of a mint instead of the first', async () => {
    const first = token('Пепе 🐸 the "First"', { symbol: 'P3P3', slot: 5, within: 2, market: 3 });
    const index = indexOf([first]);
    expect(index.get(first.mint)).toEqual(first);
    const second = { ...first, name: 'Second' };
    index.add(second);
    expect(index.get(first.mint)).toEqual(second);
    expect(index.size).toBe(1);
    expect(await search(index, 'first')).toEqual([]);
  });

  it('takes no more tokens than it has room for, and says so', () => {
    const index = new SearchIndex(systemClock, { tokens: 2, bytes: 1e9 });
    expect([index.add(token('a')), index.add(token('b')), index.add(token('c'))]).toEqual([true, true, false]);
    expect([index.isFull, index.size]).toEqual([true, 2]);
    const narrow = new SearchIndex(systemClock, { tokens: 1e6, bytes: 3_000_000 });
    const long = 'lengthy '.repeat(150);
    let taken = 0;
    while (taken < 50_000 && narrow.add(token(`${long}${taken}`, { symbol: long }))) taken += 1;
    expect(narrow.isFull).toBe(true);
    expect(taken).toBeLessThan(10_000);
  });
});

describe('strangers who want the index to stumble', () => {
  it('ranks a crowd of copies by their market, whichever came last', async () => {
    const copies = Array.from({ length: 5_000 }, (_, slot) => token('PEPE', { symbol: 'PEPE', slot }));
    const original = token('Pepe', { symbol: 'PEPE', slot: 0, market: 40 });
    const index = indexOf([original, ...copies]);
    settle(index);
    const newest = copies.slice(-3).reverse();
    expect(await search(index, 'pepe', 4)).toEqual([original, ...newest].map(({ mint }) => mint));
    index.setMarket(copies[17]!.mint, 41);
    expect((await search(index, 'pe', 2))[0]).toBe(copies[17]!.mint);
    index.remove(copies[17]!.mint);
    expect((await search(index, 'pe', 2))[0]).toBe(original.mint);
  });

  it.each([
    ['look-alikes of another alphabet', 'РЕРЕ'],
    ['letters of mathematics', '𝐏𝐄𝐏𝐄'],
    ['stacks of accents', `P${'\u0301'.repeat(300)}EPE`],
    ['nothing that is seen', 'P\u200b\u200b\u2060EPE'],
  ])('finds names of %s', async (_name, name) => {
    const spoof = token(name);
    expect(await search(indexOf([spoof]), 'pepe')).toEqual([spoof.mint]);
  });

  it.each([
    ['pictures', '🚀'.repeat(32)],
    ['one letter', 'a'.repeat(1_000)],
    ['words of one letter', 'a '.repeat(600)],
    ['four-byte letters that the cut falls into', `x${'🐸'.repeat(400)}`],
    ['marks alone', '\u0301'.repeat(1_000)],
    ['bytes of zero', '\u0000'.repeat(50)],
  ])('keeps names of %s, cut, beside others', async (_name, name) => {
    const strange = token(name, { symbol: name });
    const plain = token('pepe');
    const index = indexOf([strange, ...Array.from({ length: 1_100 }, () => token('pepe')), plain]);
    settle(index);
    const kept = index.get(strange.mint);
    expect(name.startsWith(kept?.name ?? '-')).toBe(true);
    expect(Buffer.byteLength(kept?.name ?? '')).toBeLessThanOrEqual(255);
    expect(await search(index, strange.mint)).toEqual([strange.mint]);
    if (fold(name) !== '') expect(await search(index, [...fold(name)].slice(0, 2).join(''))).toEqual([strange.mint]);
  });

  it('looks for typos in a crowd of near names without holding anybody up', async () => {
    const near = Array.from({ length: 6_000 }, (_, slot) =>
      token(`dogwif${slot.toString(36)}`, { slot, market: slot % 7 }),
    );
    let elapsed = 0;
    // Time passes with every look at the clock.
    const index = new SearchIndex({ elapsed: () => (elapsed += 1) });
    for (const each of near) index.add(each);
    settle(index);
    let turns = 0;
    const turn = () => {
      turns += 1;
      again = setImmediate(turn);
    };
    let again = setImmediate(turn);
    const found = await search(index, 'dogwifzz0', 50);
    clearImmediate(again);
    expect(found).toEqual(plainSearch(near, 'dogwifzz0', 50));
    expect(turns).toBeGreaterThan(10);
  });
});
