import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ENGINES, type TestAccounts } from '../../../test/support/accounts-engines.ts';
import { createHandClock } from '../../../test/support/hand-clock.ts';
import { addOwner, randomWallet, randomWallets } from '../../../test/support/list-owners.ts';
import { MAX_FAVORITES } from './contract-limits.ts';
import { createFavoriteStore, type FavoriteStore } from './favorite-store.ts';
import type { ListOwner } from './list-owner.ts';

describe.each(ENGINES)('favorites on $engine', ({ open }) => {
  let accounts: TestAccounts;
  let here: FavoriteStore;
  let there: FavoriteStore;
  let owner: ListOwner;
  const clock = createHandClock();
  beforeAll(async () => {
    accounts = await open();
    here = createFavoriteStore(accounts.db, clock);
    there = createFavoriteStore((await accounts.openAnother()).db, clock);
  });
  afterAll(() => accounts.close());
  beforeEach(async () => {
    owner = await addOwner(accounts);
  });

  it('stay where they are when they are added again, and take another alias only when one is sent', async () => {
    const [first, second] = [randomWallet(), randomWallet()];
    const seen: unknown[] = [];
    for (const [wallet, alias] of [
      [first, 'one'],
      [second, undefined],
      [first, undefined],
      [first, 'two'],
      [first, ''],
    ] as const) {
      await here.add(owner, wallet, alias);
      await clock.advance(1000);
      seen.push(await here.list(owner));
    }
    expect(seen).toEqual([
      [{ wallet: first, alias: 'one' }],
      [{ wallet: first, alias: 'one' }, { wallet: second }],
      [{ wallet: first, alias: 'one' }, { wallet: second }],
      [{ wallet: first, alias: 'two' }, { wallet: second }],
      [{ wallet: first }, { wallet: second }],
    ]);
  });

  it('are their owner’s alone', async () => {
    const other = await addOwner(accounts);
    const wallet = randomWallet();
    await here.add(owner, wallet, 'mine');
    expect(await here.list(other)).toEqual([]);
    await here.remove(other, wallet);
    await here.add(other, wallet, 'theirs');
    expect(await here.list(owner)).toEqual([{ wallet, alias: 'mine' }]);
    await here.remove(owner, wallet);
    await here.remove(owner, wallet);
    expect(await here.list(owner)).toEqual([]);
    expect(await here.list(other)).toEqual([{ wallet, alias: 'theirs' }]);
  });

  it('are a thousand at most, whoever adds them at the same time; one that is there can be named all the same', async () => {
    const wallets = randomWallets(MAX_FAVORITES - 5);
    const rows = wallets.map((wallet) => ({ owner: owner.wallet, wallet, alias: null, added_at: 0 }));
    await accounts.db.insertInto('wallet_favorites').values(rows).execute();
    const tries = randomWallets(12).map((wallet, i) => (i % 2 === 0 ? here : there).add(owner, wallet, undefined));
    const outcomes = await Promise.allSettled(tries);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect(await here.list(owner)).toHaveLength(MAX_FAVORITES);
    await expect(here.add(owner, randomWallet(), 'x')).rejects.toMatchObject({
      code: 'too_many_items',
      details: { max: MAX_FAVORITES },
    });
    await here.add(owner, wallets[0]!, 'known');
    expect((await here.list(owner))[0]).toEqual({ wallet: wallets[0], alias: 'known' });
  });
});
