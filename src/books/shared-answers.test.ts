import { describe, expect, it } from 'vitest';
import { createHandClock } from '../../test/support/hand-clock.ts';
import { encodeAddress } from '../chain/keys/base58.ts';
import { createFeed } from '../feed/in-process.ts';
import { Asker, readAs } from '../store/reads/reader.ts';
import { DEFAULT_BOOK_LIMITS } from './book-limits.ts';
import { createBookShelf } from './book-shelf.ts';
import { gatherReads } from './gather.ts';
import { createRefreshed } from './refreshed.ts';
import { createStampMemo } from './stamp-memo.ts';

const MINT = encodeAddress(new Uint8Array(32).fill(7));

/** Something that is shared by all who ask for it while it is made, asked for by `ask`. */
type Ask = (make: () => Promise<string>) => unknown;

const shared: Readonly<Record<string, () => Ask>> = {
  'a refreshed value': () => {
    const values = createRefreshed<string>({ clock: createHandClock(), capacity: 9 });
    return (make) => values.get('key', make).then(({ value }) => value);
  },
  'an answer of a second': () => {
    const memo = createStampMemo<string>(9);
    return (make) => memo.get('key', 1, make);
  },
  "a section of a token's book": () => {
    const shelf = createBookShelf({ feed: createFeed({ maxHeldBatches: 9 }), limits: DEFAULT_BOOK_LIMITS });
    const section = (text: string) => ({ bytes: text.length, apply: () => true, text });
    return async (make) => {
      const source = { key: 'text', load: async () => section(await make()), isWorthKeeping: () => true };
      return (await shelf.open(MINT, source)).text;
    };
  },
  'a read of many mints': () => {
    let make = async () => '';
    const read = gatherReads(async () => [await make()], { together: 9, waitMs: 0 });
    return (makeNow) => {
      make = makeNow;
      return read(MINT, 1);
    };
  },
};

describe.each(Object.entries(shared))('%s', (_name, create) => {
  it('that was given up with the last who waited is made anew for whoever comes then', async () => {
    const ask = create();
    const gone = new Asker(() => ({ account: 'a', key: 'a' }), 5_000);
    const first = readAs(gone, () => ask(() => new Promise(() => {})));
    await new Promise(setImmediate);
    gone.leave();
    await expect(first).rejects.toMatchObject({ code: 'abandoned' });
    expect(await ask(async () => 'new')).toBe('new');
  });
});
