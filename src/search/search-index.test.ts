import { describe, expect, it } from 'vitest';
import {
  indexOf,
  pick,
  plainSearch,
  randomMint,
  randomToken,
  search,
  settle,
  token,
} from '../../test/support/plain-search.ts';
import { randomBetween } from '../../test/support/random.ts';
import { systemClock } from '../kernel/clock.ts';
import type { NamedToken } from './name-table.ts';
import { SearchIndex } from './search-index.ts';

/** More than are put in order at once. */
const MANY = 3_000;

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

it('takes a token that it knows just so without room for it, and ranks it as told', () => {
  const index = new SearchIndex(systemClock, { tokens: 2, bytes: 1e9 });
  const [first, second] = [token('a'), token('b')];
  index.add(first);
  index.add(second);
  expect(index.add({ ...first, market: 3 })).toBe(true);
  expect(index.rank(first.mint)).toEqual({ slot: 1, market: 3 });
  expect(index.add({ ...second, name: 'c' })).toBe(false);
  expect(index.get(second.mint)).toEqual(second);
  expect(index.rank(randomMint())).toBeUndefined();
});

it('finds a name that is longer than what is kept of it by all of it', async () => {
  const long = token('龍'.repeat(100));
  expect(await search(indexOf([long, token('龍')]), long.name)).toEqual([long.mint]);
});
