import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallStack } from './call-tree.ts';

describe('CallStack', () => {
  it('finds the caller of every call of any tree', () => {
    // Each call goes at most one deeper than the one before it.
    const heights = fc.array(fc.nat({ max: 100 }), { maxLength: 40 }).map((steps) => {
      let height = 1;
      return steps.map((step) => {
        height = 2 + (step % height);
        return height;
      });
    });
    fc.assert(
      fc.property(heights, (each) => {
        const stack = new CallStack();
        stack.open(0);
        const all = [1, ...each];
        each.forEach((height, i) => {
          const index = i + 1;
          expect(stack.enter(index, height)).toBe(height);
          expect(stack.callerAt(height)).toBe(all.lastIndexOf(height - 1, index - 1));
        });
      }),
    );
  });

  it('starts anew with each top-level instruction', () => {
    const stack = new CallStack();
    stack.open(0);
    stack.enter(1, 2);
    stack.enter(2, 3);
    stack.open(3);
    expect(stack.enter(4, 2)).toBe(2);
    expect(stack.callerAt(2)).toBe(3);
  });

  it('hangs calls without a height below the top-level instruction', () => {
    const stack = new CallStack();
    stack.open(5);
    for (const index of [6, 7]) {
      expect(stack.enter(index, 0)).toBe(2);
      expect(stack.callerAt(2)).toBe(5);
    }
  });

  it('takes a height that skips a level as one level deeper', () => {
    const stack = new CallStack();
    stack.open(0);
    expect(stack.enter(1, 9)).toBe(2);
    expect(stack.callerAt(2)).toBe(0);
    expect(stack.enter(2, 9)).toBe(3);
    expect(stack.callerAt(3)).toBe(1);
  });
});
