import { describe, expect, it } from 'vitest';
import { indexOf, plainSearch, search, settle, token } from '../../test/support/plain-search.ts';
import { fold } from './fold.ts';
import { SearchCrowdedError, SearchIndex } from './search-index.ts';

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
    const beginning = [...fold(name)].slice(0, 2).join('');
    // A mint of the others may begin so, too: names go first.
    if (beginning !== '') expect((await search(index, beginning))[0]).toBe(strange.mint);
  });

  /** Names near to each other, under a clock that goes on with every look at it. */
  function openCrowd() {
    const near = Array.from({ length: 1_500 }, (_, slot) =>
      token(`dogwif${slot.toString(36)}`, { slot, market: slot % 7 }),
    );
    let elapsed = 0;
    const index = new SearchIndex({ elapsed: () => (elapsed += 1) });
    for (const each of near) index.add(each);
    settle(index);
    return { near, index, elapsed: () => elapsed };
  }

  /** Times between turns of the event loop while something is done, the longest first. */
  async function holdsDuring<T>(
    elapsed: () => number,
    work: () => Promise<T>,
  ): Promise<readonly [T, readonly number[]]> {
    const holds: number[] = [];
    let last = elapsed();
    const turn = () => {
      holds.push(elapsed() - last);
      last = elapsed();
      again = setImmediate(turn);
    };
    let again = setImmediate(turn);
    const done = await work();
    clearImmediate(again);
    return [done, holds.sort((a, b) => b - a)];
  }

  it('looks for typos in a crowd of near names without holding anybody up, however many ask', async () => {
    const { near, index, elapsed } = openCrowd();
    const texts = Array.from({ length: 20 }, (_, at) => `dogwifzz${at}`);
    const [found, [longest]] = await holdsDuring(elapsed, () =>
      Promise.all(texts.map((text) => search(index, text, 50))),
    );
    for (const at of [0, 19]) expect(found[at]).toEqual(plainSearch(near, texts[at]!, 50));
    expect(longest).toBeLessThan(12);
  });

  it('finds what came, and was put in order, while typos were looked for', async () => {
    const { index } = openCrowd();
    const late = token('dogwifzz1', { market: 9 });
    const found = search(index, 'dogwifzz0', 50);
    await new Promise((resolve) => setImmediate(resolve));
    for (const each of [late, ...Array.from({ length: 600 }, () => token('other'))]) index.add(each);
    expect((await found)[0]).toBe(late.mint);
  });

  it('refuses to look for typos when too many wait for it', async () => {
    const { index } = openCrowd();
    const asked = Array.from({ length: 103 }, (_, at) => search(index, `dogwifzz${at}`));
    const refused = (await Promise.allSettled(asked)).filter(({ status }) => status === 'rejected');
    expect(refused.map((each) => (each as PromiseRejectedResult).reason)).toEqual(
      Array.from({ length: 3 }, () => expect.any(SearchCrowdedError)),
    );
    expect(await search(index, 'dogwifzz0')).not.toEqual([]);
  });

  it('finds a page of tokens behind one of many near words', async () => {
    const greedy = token('dogwifa dogwifb dogwifc dogwifd dogwife dogwifg dogwifh dogwifi dogwifj', { market: 9 });
    const others = Array.from({ length: 80 }, (_, slot) => token(`dogwi${slot.toString(36)}x`, { slot }));
    const index = indexOf([...others, greedy]);
    settle(index);
    expect(await search(index, 'dogwifxx', 50)).toEqual(plainSearch([...others, greedy], 'dogwifxx', 50));
  });
});
