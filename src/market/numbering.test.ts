import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Numbering } from './numbering.ts';

/** Of a table with some thousand slots, when it grows by half. */
const MOST_GROWN_BYTES = 16_000;

const texts = fc.oneof(
  fc.constantFrom('', 'a', 'b', 'ab', 'ba'),
  fc.nat(300).map((at) => `${'w'.repeat(40)}${at}`),
);
const action = fc.record({ kind: fc.constantFrom('take', 'take', 'take', 'release' as const), text: texts });

describe('numbers for texts', () => {
  it('are the same as long as anything refers to a text, and as few as there are texts at a time', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 600 }), (actions) => {
        const numbering = new Numbering<string>();
        const held = new Map<string, { readonly number: number; references: number }>();
        let most = 0;
        for (const { kind, text } of actions) {
          const known = held.get(text);
          if (kind === 'take') {
            const number = numbering.take(text);
            expect(number).toBe(known?.number ?? number);
            if (known === undefined) held.set(text, { number, references: 1 });
            else known.references += 1;
          } else if (known !== undefined) {
            known.references -= 1;
            expect(numbering.release(known.number)).toBe(known.references === 0);
            if (known.references === 0) held.delete(text);
          }
          most = Math.max(most, held.size);
        }
        expect(numbering.size).toBe(held.size);
        expect(new Set([...held.values()].map(({ number }) => number)).size).toBe(held.size);
        for (const { text } of actions) expect(numbering.numberOf(text)).toBe(held.get(text)?.number);
        for (const [text, { number }] of held) {
          expect(numbering.valueOf(number)).toBe(text);
          expect(number).toBeLessThan(most);
        }
      }),
    );
  });

  it('find room for one more without moving many of the others, however alike they are', () => {
    const numbering = new Numbering<string>();
    const alike = Array.from({ length: 300_000 }, (_, at) => `So1${'1'.repeat(31)}${100_000 + at}pump`);
    let most = 0;
    for (const text of alike) {
      const before = numbering.tableBytes;
      numbering.take(text);
      most = Math.max(most, numbering.tableBytes - before);
    }
    expect(alike.every((text, at) => numbering.numberOf(text) === at)).toBe(true);
    expect(most).toBeLessThan(MOST_GROWN_BYTES);
  });
});
