import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ENGINES, type TestAccounts } from '../../../test/support/accounts-engines.ts';
import { createHandClock } from '../../../test/support/hand-clock.ts';
import { addOwner, randomWallet, randomWallets } from '../../../test/support/list-owners.ts';
import { MAX_GROUP_WALLETS, MAX_GROUPS, MAX_LISTED_WALLETS } from './contract-limits.ts';
import { createGroupStore, type GroupStore } from './group-store.ts';
import type { ListOwner } from './list-owner.ts';

describe.each(ENGINES)('wallet groups on $engine', ({ open }) => {
  let accounts: TestAccounts;
  /** The same lists in two processes. */
  let here: GroupStore;
  let there: GroupStore;
  let owner: ListOwner;
  const clock = createHandClock(Date.UTC(2026, 7, 1, 10));
  beforeAll(async () => {
    accounts = await open();
    here = createGroupStore(accounts.db, clock);
    there = createGroupStore((await accounts.openAnother()).db, clock);
  });
  afterAll(() => accounts.close());
  beforeEach(async () => {
    owner = await addOwner(accounts);
  });

  const add = (store: GroupStore, id: string, wallets: readonly string[], note?: string) =>
    store.add(owner, id, { wallets, note });

  async function countOf(id: string): Promise<number | undefined> {
    return (await here.find(owner, id))?.count;
  }

  it('are made empty, with the id that was asked for or one of their own', async () => {
    const time = new Date(clock.now()).toISOString();
    const named = { id: 'snipers', name: 'Snipers', count: 0, created_at: time, updated_at: time, members: [] };
    expect(await here.create(owner, { id: 'snipers', name: 'Snipers' })).toEqual(named);
    expect(await here.find(owner, 'snipers')).toEqual(named);
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await here.create(owner, { id: undefined, name: 'Snipers' })).id),
    );
    for (const id of ids) expect(id).toMatch(/^g_[a-z2-7]{12}$/);
    expect(new Set(ids).size).toBe(20);
  });

  it('have ids that are unique for one owner only', async () => {
    const other = await addOwner(accounts);
    await here.create(owner, { id: 'same', name: 'Mine' });
    await here.create(other, { id: 'same', name: 'Theirs' });
    await expect(here.create(owner, { id: 'same', name: 'Again' })).rejects.toMatchObject({ code: 'group_exists' });
    expect((await here.find(owner, 'same'))?.name).toBe('Mine');
    await add(here, 'same', [randomWallet()]);
    await here.delete(owner, 'same');
    expect(await here.find(other, 'same')).toMatchObject({ name: 'Theirs', count: 0 });
  });

  it('list wallets in the order in which they came, with their notes', async () => {
    const [first, second, third] = randomWallets(3) as [string, string, string];
    await here.create(owner, { id: 'g', name: 'G' });
    await add(here, 'g', [third], 'came first');
    const times = [clock.now()];
    await clock.advance(1000);
    times.push(clock.now());
    expect(await add(here, 'g', [second, first, third])).toBe(2);
    const [early, late] = times.map((time) => new Date(time).toISOString());
    expect(await here.find(owner, 'g')).toMatchObject({
      count: 3,
      updated_at: late,
      members: [
        { wallet: third, note: 'came first', added_at: early },
        { wallet: first, added_at: late },
        { wallet: second, added_at: late },
      ],
    });
  });

  it('take a wallet that is there already as it is, and change its note when one is sent', async () => {
    const wallet = randomWallet();
    await here.create(owner, { id: 'g', name: 'G' });
    const notes: (string | undefined)[] = [];
    for (const [note, added] of [
      ['one', 1],
      [undefined, 0],
      ['two', 0],
      ['', 0],
      [undefined, 0],
    ] as const) {
      expect(await add(here, 'g', [wallet], note)).toBe(added);
      notes.push((await here.find(owner, 'g'))?.members?.[0]?.note);
    }
    expect(notes).toEqual(['one', 'one', 'two', undefined, undefined]);
  });

  it('tell when they last changed, and not that nothing changed', async () => {
    const wallet = randomWallet();
    await here.create(owner, { id: 'g', name: 'G' });
    const changed: boolean[] = [];
    for (const act of [
      () => add(here, 'g', [wallet], 'note'),
      () => add(here, 'g', [wallet], 'note'),
      () => add(here, 'g', [wallet], 'other'),
      () => here.remove(owner, 'g', wallet),
      () => here.remove(owner, 'g', wallet),
      () => here.rename(owner, 'g', 'H'),
      () => here.rename(owner, 'g', 'H'),
    ]) {
      const before = await here.find(owner, 'g');
      await clock.advance(1000);
      await act();
      const after = await here.find(owner, 'g');
      changed.push(before?.updated_at !== after?.updated_at);
    }
    expect(changed).toEqual([true, false, true, true, false, true, false]);
  });

  it('hold a thousand wallets and not one more: what does not fit is not added at all', async () => {
    const wallets = randomWallets(MAX_GROUP_WALLETS + 1);
    await here.create(owner, { id: 'g', name: 'G' });
    await expect(add(here, 'g', wallets)).rejects.toMatchObject({ code: 'group_full' });
    expect(await countOf('g')).toBe(0);
    expect(await add(here, 'g', wallets.slice(0, 999))).toBe(999);
    await expect(add(here, 'g', wallets.slice(998))).rejects.toMatchObject({ code: 'group_full' });
    expect(await countOf('g')).toBe(999);
    expect(await add(here, 'g', wallets.slice(990, 1000))).toBe(1);
    expect(await add(here, 'g', wallets.slice(0, 1000))).toBe(0);
    expect(await countOf('g')).toBe(MAX_GROUP_WALLETS);
  });

  it('hold a thousand wallets whoever adds them at the same time', async () => {
    const wallets = randomWallets(MAX_GROUP_WALLETS + 60);
    await here.create(owner, { id: 'g', name: 'G' });
    await add(here, 'g', wallets.slice(0, MAX_GROUP_WALLETS - 20));
    const tries = wallets
      .slice(MAX_GROUP_WALLETS - 20)
      .map((wallet, i) => add(i % 2 === 0 ? here : there, 'g', [wallet]));
    const outcomes = await Promise.allSettled(tries);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'group_full' });
    }
    expect(await countOf('g')).toBe(MAX_GROUP_WALLETS);
  });

  it('add a wallet once whoever adds it at the same time', async () => {
    const wallet = randomWallet();
    await here.create(owner, { id: 'g', name: 'G' });
    const added = await Promise.all(
      Array.from({ length: 20 }, (_, i) => add(i % 2 === 0 ? here : there, 'g', [wallet])),
    );
    expect(added.reduce((sum: number, each) => sum + (each ?? 0), 0)).toBe(1);
  });

  it('are gone with all their wallets, also with those that come at the same moment', async () => {
    for (let round = 0; round < 10; round += 1) {
      await here.create(owner, { id: 'g', name: 'G' });
      await Promise.all([
        add(there, 'g', randomWallets(5)),
        here.delete(owner, 'g'),
        add(there, 'g', randomWallets(5)),
      ]);
      await here.create(owner, { id: 'g', name: 'G' });
      expect(await countOf('g')).toBe(0);
      await here.delete(owner, 'g');
    }
  });

  it('are never seen without the wallets with which they were deleted', async () => {
    const wallets = randomWallets(5);
    const seen = new Set<number | undefined>();
    for (let round = 0; round < 20; round += 1) {
      await here.create(owner, { id: 'g', name: 'G' });
      await add(here, 'g', wallets);
      const deleting = there.delete(owner, 'g');
      for (let gone = false; !gone; ) {
        const [found, listed] = await Promise.all([here.find(owner, 'g'), here.list(owner, true)]);
        seen.add(found?.members?.length).add(listed[0]?.members?.length);
        gone = found === undefined && listed.length === 0;
      }
      await deleting;
    }
    expect([...seen].sort()).toEqual([5, undefined]);
  });

  it('are made up to a number, whoever makes them at the same time', async () => {
    for (let i = 0; i < MAX_GROUPS - 5; i += 1) await here.create(owner, { id: `g${i}`, name: 'G' });
    const tries = Array.from({ length: 12 }, (_, i) =>
      (i % 2 === 0 ? here : there).create(owner, { id: `more${i}`, name: 'G' }),
    );
    const outcomes = await Promise.allSettled(tries);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect(await here.list(owner, false)).toHaveLength(MAX_GROUPS);
    await expect(here.create(owner, { id: 'g0', name: 'G' })).rejects.toMatchObject({ code: 'group_exists' });
    await expect(here.create(owner, { id: undefined, name: 'G' })).rejects.toMatchObject({
      code: 'too_many_items',
      details: { max: MAX_GROUPS },
    });
  });

  it('hold so many wallets together, and a list with all of them is no longer than that', async () => {
    const groups = MAX_LISTED_WALLETS / MAX_GROUP_WALLETS;
    const wallets = randomWallets(MAX_GROUP_WALLETS);
    for (let i = 0; i <= groups; i += 1) {
      await here.create(owner, { id: `g${i}`, name: 'G' });
      await clock.advance(1);
    }
    for (let i = 0; i < groups; i += 1) await add(here, `g${i}`, wallets);
    await expect(add(here, `g${groups}`, [randomWallet()])).rejects.toMatchObject({
      code: 'too_many_items',
      details: { max: MAX_LISTED_WALLETS },
    });
    const listed = await here.list(owner, true);
    expect(listed.map(({ count, members }) => [count, members?.length])).toEqual([
      ...Array(groups).fill([MAX_GROUP_WALLETS, MAX_GROUP_WALLETS]),
      [0, 0],
    ]);
    expect(await here.list(owner, false)).toEqual(listed.map(({ members: _members, ...row }) => row));
    await here.remove(owner, 'g0', wallets[0]!);
    expect(await add(here, `g${groups}`, [randomWallet()])).toBe(1);
  });

  it('that are not there are told apart from wallets that are not in them', async () => {
    await here.create(owner, { id: 'g', name: 'G' });
    expect(await here.remove(owner, 'g', randomWallet())).toBe(true);
    expect(await here.remove(owner, 'h', randomWallet())).toBe(false);
    expect(await add(here, 'h', [randomWallet()])).toBeUndefined();
    expect(await here.rename(owner, 'h', 'H')).toBe(false);
    expect(await here.delete(owner, 'h')).toBe(false);
    expect(await here.find(owner, 'h')).toBeUndefined();
  });
});
