import { describe, expect, it } from 'vitest';
import { someAddress } from '../../test/support/transaction-builder.ts';
import { EQUITIES, QUOTE_MINTS } from '../programs/registry/index.ts';
import { learnedSymbol, learnQuotes, takenSymbol } from './learned-quotes.ts';
import { quoteUnit, quoteUnitText } from './row-json.ts';

describe('the symbol of a quote that no list names', () => {
  it('is what its mint says, in rows and templates', () => {
    const mint = someAddress();
    expect(quoteUnit(mint, 4)).toEqual({ quote_symbol: undefined, quote_decimals: 4 });
    expect(learnQuotes([{ mint, symbol: ' ANSEM ' }])).toEqual([mint]);
    expect(quoteUnit(mint, 4)).toEqual({ quote_symbol: 'ANSEM', quote_decimals: 4 });
    expect(quoteUnitText(mint, undefined)).toBe(',"quote_symbol":"ANSEM"');
    expect(learnQuotes([{ mint, symbol: 'ANSEM' }])).toEqual([]);
  });

  it.each([
    ...['USDC', 'usdc', '$USDC', 'U.S.D.C', 'USD-C', 'S0L', 'soL', 'WSOL', 'u5dc', 'SO1'],
    ...['USD\u200bC', 'USD\u202eC', '\u0405OL', 'U\u0405DC', 'ＵＳＤＣ', 'USDC ', 'S\u041eL'],
  ])('is none where it reads like a listed one: %j', (symbol) => {
    expect(takenSymbol(symbol)).toBeUndefined();
  });

  it('is none where digits stand for letters of a listed one, or letters for its digits', () => {
    const digits = { '0': 'O', '1': 'I', '2': 'Z', '5': 'S', '6': 'G', '8': 'B' } as const;
    const listed = [...QUOTE_MINTS, ...EQUITIES].map(({ symbol }) => symbol);
    const tried = Object.entries(digits).flatMap(([digit, letter]) =>
      listed.flatMap((symbol) => [
        symbol.toUpperCase().replaceAll(letter, digit),
        symbol.toUpperCase().replaceAll(digit, letter),
      ]),
    );
    for (const [digit, letter] of Object.entries(digits)) {
      expect(listed.some((symbol) => new RegExp(`${digit}|${letter}`, 'i').test(symbol))).toBe(true);
    }
    expect(tried.filter((symbol) => takenSymbol(symbol) !== undefined)).toEqual([]);
  });

  it.each(['', ' ', 'SOL/USDC', 'a b', '"', '<b>', 'x'.repeat(13), '貓', '1,000'])(
    'is none that is no plain text: %j',
    (symbol) => {
      expect(takenSymbol(symbol)).toBeUndefined();
    },
  );

  it.each(['ANSEM', '$WIF', 'Fart9', 'k-9', 'A'.repeat(12)])('is told where it is %s', (symbol) => {
    expect(takenSymbol(symbol)).toBe(symbol);
  });

  it('never takes the place of what a list says', () => {
    const [listed] = QUOTE_MINTS;
    learnQuotes([{ mint: listed!.mint, symbol: 'OTHER' }]);
    expect(learnedSymbol(listed!.mint)).toBe('OTHER');
    expect(quoteUnit(listed!.mint, undefined).quote_symbol).toBe(listed!.symbol);
  });
});
