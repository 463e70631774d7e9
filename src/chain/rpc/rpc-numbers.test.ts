import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rpcText } from '../../../test/support/transaction-encodings.ts';
import { parseRpcJson } from './rpc-numbers.ts';

/** Texts that look like JSON with long numbers. */
const trap = fc
  .array(
    fc.constantFrom('"', '\\', ':', ',', '[', ']', '{', '}', ' ', '18446744073709551615', '12', '-', '\n', 'log '),
    {
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(''));

const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    trap,
    fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
    fc.constantFrom(null, true, 0, 1.5, 9_007_199_254_740_991),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(trap, tie('value'), { maxKeys: 4 }),
  ),
})).value;

/** The value that the parser must return: an integer of 16 digits and more as text, a shorter one as a number. */
function expected(json: unknown): unknown {
  if (typeof json === 'bigint') return json < 10n ** 15n ? Number(json) : String(json);
  if (json === 9_007_199_254_740_991) return '9007199254740991';
  if (Array.isArray(json)) return json.map(expected);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([key, inner]) => [key, expected(inner)]));
}

describe('parseRpcJson', () => {
  it('keeps every integer exact and leaves every text as it was', () => {
    fc.assert(
      fc.property(value, (json) => {
        expect(parseRpcJson(rpcText({ json }))).toEqual(expected({ json }));
      }),
      { numRuns: 2_000 },
    );
  });

  it('finds long integers next to each other and between spaces', () => {
    expect(parseRpcJson('{"a": [ 18446744073709551615 , 18446744073709551614,-9007199254740993 ]}')).toEqual({
      a: ['18446744073709551615', '18446744073709551614', '-9007199254740993'],
    });
  });

  it('leaves long fractions to doubles', () => {
    expect(parseRpcJson('{"uiAmount":65909638252588412.5,"x":1}')).toEqual({
      uiAmount: Number('65909638252588412.5'),
      x: 1,
    });
  });

  // A search that begins again behind each number would be at it for hours.
  it('reads long texts full of numbers to their end', () => {
    const answer = JSON.stringify({ log: '",1234567890123456,'.repeat(1_000_000), fee: 1 });
    expect(parseRpcJson(answer)).toEqual(JSON.parse(answer));
  });

  it('throws what JSON.parse throws', () => {
    expect(() => parseRpcJson('{"a":')).toThrow(SyntaxError);
    expect(() => parseRpcJson('{"a":"\\": 18446744073709551615, ')).toThrow(SyntaxError);
  });
});
