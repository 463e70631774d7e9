import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readU64, readWord } from './little-endian.ts';

test('integers of every magnitude are read exactly, wherever they stand', () => {
  const anyWidth = fc
    .tuple(fc.integer({ min: 0, max: 64 }), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }))
    .map(([bits, value]) => BigInt.asUintN(bits, value));
  fc.assert(
    fc.property(anyWidth, fc.nat({ max: 9 }), (value, offset) => {
      const bytes = new Uint8Array(20).fill(0xa5);
      const view = new DataView(bytes.buffer);
      view.setBigUint64(offset, value, true);
      expect(readU64(bytes, offset)).toBe(value);
      expect(readWord(bytes, offset)).toBe(Number(BigInt.asUintN(32, value)));
    }),
    { numRuns: 1_000 },
  );
});
