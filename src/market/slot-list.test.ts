import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SlotList } from './slot-list.ts';

const action = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('newest' as const), slot: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('add' as const), slot: fc.nat(300) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), slot: fc.nat(300) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('oldest' as const), slot: fc.constant(0) }) },
);

describe('a list of slots', () => {
  it('has what was added and not removed, in order', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 400 }), fc.nat(300), (actions, asked) => {
        const list = new SlotList();
        let expected: number[] = [];
        for (const { kind, slot } of actions) {
          const named =
            kind === 'newest' ? (expected.at(-1) ?? 0) + slot : kind === 'oldest' ? (expected[0] ?? 0) : slot;
          if (kind === 'newest' || kind === 'add') {
            list.add(named);
            expected = [...new Set([...expected, named])].sort((a, b) => a - b);
          } else {
            list.remove(named);
            expected = expected.filter((each) => each !== named);
          }
          expect([list.size, list.first]).toEqual([expected.length, expected[0]]);
        }
        expect(list.behind(asked)).toBe(expected.find((each) => each > asked));
      }),
    );
  });
});
