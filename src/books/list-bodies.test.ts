import { expect, it } from 'vitest';
import { createListBodies } from './list-bodies.ts';

it('bodies of a list are made once by question, and anew of another list', () => {
  const bodies = createListBodies();
  let made = 0;
  const ask = (list: { readonly rows: number }, limit: number) =>
    bodies
      .of(list, `${limit}`, () => {
        made += 1;
        return Buffer.from(`${Math.min(list.rows, limit)}`);
      })
      .toString();
  const [one, other] = [{ rows: 3 }, { rows: 9 }];
  expect([ask(one, 5), ask(one, 5), ask(one, 2), ask(other, 5), ask(one, 5)]).toEqual(['3', '3', '2', '5', '3']);
  expect(made).toBe(3);
});
