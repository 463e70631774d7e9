import { expect, it } from 'vitest';
import { Asker, readAs } from '../store/reads/reader.ts';
import { createStampMemo } from './stamp-memo.ts';

it('an answer is made once, though the first who waited for it has left', async () => {
  const memo = createStampMemo<string>(9);
  let made = 0;
  let end = (_answer: string) => {};
  const ask = () =>
    memo.get('key', 1, () => {
      made += 1;
      return new Promise((resolve) => {
        end = resolve;
      });
    });
  const first = new Asker(() => ({ account: 'a', key: 'a' }), 5_000);
  const gone = readAs(first, ask);
  const stays = ask();
  first.leave();
  await expect(gone).rejects.toMatchObject({ code: 'abandoned' });
  const later = ask();
  end('one');
  expect([await stays, await later, made]).toEqual(['one', 'one', 1]);
});

it('a failure is handed to those who waited, and made anew for the next', async () => {
  const memo = createStampMemo<string>(9);
  await expect(memo.get('key', 1, () => Promise.reject(new Error('no luck')))).rejects.toThrow('no luck');
  expect(await memo.get('key', 1, async () => 'one')).toBe('one');
});

it('an answer that is there is given without a promise, until the stamp is another', async () => {
  const memo = createStampMemo<string>(9);
  await memo.get('key', 1, async () => 'one');
  expect(memo.get('key', 1, async () => 'two')).toBe('one');
  expect(await memo.get('key', 2, async () => 'two')).toBe('two');
});
