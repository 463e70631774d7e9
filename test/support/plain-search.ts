import { systemClock } from '../../src/kernel/clock.ts';
import { MATCHES, type Match } from '../../src/search/answer-query.ts';
import { codePoints, editDistance, forgivenEdits } from '../../src/search/edit-distance.ts';
import { fold, lengthOf } from '../../src/search/fold.ts';
import type { NamedToken } from '../../src/search/name-table.ts';
import { readQuery } from '../../src/search/query.ts';
import { FEW, SearchIndex } from '../../src/search/search-index.ts';
import { randomBetween } from './random.ts';

/** Searches that go through all tokens, one by one: what the index has to agree with. */

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const WORDS = ['pepe', 'pep', 'dog', 'dogwifhat', 'wif', 'hat', 'bonk', 'РЕРЕ', 'Doge', 'cat', 'coin', '🐸', 'moon2'];
export function pick<T>(all: ArrayLike<T>): T {
  return all[randomBetween(0, all.length - 1)]!;
}

export function randomMint(): string {
  return Array.from({ length: 44 }, () => pick(BASE58)).join('');
}

export function randomToken(slot: number): NamedToken {
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

/** Mints of the tokens that fit best, best first. */
export function plainSearch(tokens: readonly NamedToken[], text: string, limit: number): readonly string[] {
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

export async function search(index: SearchIndex, text: string, limit = 20, upTo?: number): Promise<readonly string[]> {
  const found = await index.search(readQuery(text), { limit, ...(upTo === undefined ? {} : { upTo }) });
  return found.map(({ mint }) => mint);
}

export function settle(index: SearchIndex): void {
  while (index.work());
}

export const token = (name: string, rest: Partial<NamedToken> = {}): NamedToken => ({
  ...{ mint: randomMint(), symbol: '', name, slot: 1, within: 0, market: 0 },
  ...rest,
});

export function indexOf(tokens: readonly NamedToken[]): SearchIndex {
  const index = new SearchIndex(systemClock);
  for (const each of tokens) index.add(each);
  return index;
}
