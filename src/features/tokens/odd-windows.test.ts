import { expect, it } from 'vitest';
import { Asker, readAs } from '../../store/reads/reader.ts';
import { createTurns } from './odd-windows.ts';

/** Work that ends when it is told to. */
function openTurns(limits = { waiting: 3, ofAccount: 2 }) {
  const turns = createTurns(limits);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    end(name: string) {
      ends.get(name)?.();
      return new Promise((resolve) => setImmediate(resolve));
    },
    take(name: string, account: string) {
      const asker = new Asker(() => ({ account, key: account }), 1_000);
      const done = readAs(asker, () =>
        turns.take(() => {
          begun.push(name);
          return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
        }),
      );
      done.catch(() => {});
      return { asker, done };
    },
  };
}

it('work is done one piece after the other, in the order in which it came', async () => {
  const { take, end, begun } = openTurns();
  const all = [take('1', 'a'), take('2', 'b'), take('3', 'a')];
  await end('nothing');
  expect(begun).toEqual(['1']);
  await end('1');
  expect(begun).toEqual(['1', '2']);
  await end('2');
  await end('3');
  expect(await Promise.all(all.map(({ done }) => done))).toEqual(['1', '2', '3']);
});

it('an account has no more than its part waiting, and all together no more than there is room for', async () => {
  const { take, end } = openTurns();
  for (const name of ['1', '2']) take(name, 'a');
  await expect(take('3', 'a').done).rejects.toMatchObject({ code: 'over_share' });
  for (const account of ['b', 'c']) take(account, account);
  await expect(take('d', 'd').done).rejects.toMatchObject({ code: 'storage_unavailable' });
  await end('1');
  const { done } = take('4', 'a');
  await end('2');
  await end('b');
  await end('c');
  await end('4');
  expect(await done).toBe('4');
});

it('who leaves gives the place up, and the work is not begun', async () => {
  const { take, end, begun } = openTurns();
  take('1', 'a');
  const second = take('2', 'a');
  second.asker.leave();
  await expect(second.done).rejects.toMatchObject({ code: 'abandoned' });
  take('3', 'a');
  await end('1');
  expect(begun).toEqual(['1', '3']);
});

it('a piece that fails lets the next one begin', async () => {
  const turns = createTurns({ waiting: 3, ofAccount: 2 });
  const failed = turns.take(() => Promise.reject(new Error('no')));
  const next = turns.take(async () => 'next');
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('next');
});
