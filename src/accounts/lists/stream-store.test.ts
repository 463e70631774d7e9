import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ENGINES, type TestAccounts } from '../../../test/support/accounts-engines.ts';
import { createHandClock } from '../../../test/support/hand-clock.ts';
import { addOwner, randomWallets } from '../../../test/support/list-owners.ts';
import type { AccountChange } from '../account-change.ts';
import { listAudit } from '../audit.ts';
import type { ListOwner } from './list-owner.ts';
import { createLists, type Lists } from './lists.ts';
import type { NewStream, StreamSettings } from './stream-store.ts';

const LIMITS: Readonly<Record<string, number>> = { trial: 3, large: 5 };
const PLAIN: NewStream = { name: 'S', kinds: ['grad'], walletListId: '', devListId: '', minSol: undefined };
const SAME: StreamSettings = {
  name: undefined,
  kinds: undefined,
  walletListId: undefined,
  devListId: undefined,
  minSol: undefined,
  active: undefined,
};

describe.each(ENGINES)('streams on $engine', ({ open }) => {
  let accounts: TestAccounts;
  /** The same lists in two processes. */
  let here: Lists;
  let there: Lists;
  let owner: ListOwner;
  const told: AccountChange[] = [];
  const clock = createHandClock(Date.UTC(2026, 7, 1, 10));
  beforeAll(async () => {
    accounts = await open();
    const options = { clock, engine: accounts.engine, streamLimit: (plan: string) => LIMITS[plan] ?? 0 };
    const another = await accounts.openAnother();
    here = createLists({
      ...options,
      db: accounts.db,
      secrets: await accounts.secrets(),
      changes: { tell: (change) => told.push(change) },
    });
    there = createLists({ ...options, db: another.db, secrets: await another.secrets(), changes: { tell() {} } });
  });
  afterAll(() => accounts.close());
  beforeEach(async () => {
    owner = await addOwner(accounts);
    told.length = 0;
  });

  async function makeGroup(id: string, wallets: readonly string[], of: ListOwner = owner): Promise<void> {
    await here.groups.create(of, { id, name: id });
    if (wallets.length > 0) await here.groups.add(of, id, { wallets, note: undefined });
  }

  function recorded() {
    return accounts.db
      .selectFrom('changes')
      .select(['kind', 'account_id', 'stream_id'])
      .where('account_id', '=', owner.accountId)
      .orderBy('id')
      .execute();
  }

  it('are made on, with a token of their own and what their lists hold', async () => {
    const [first, second] = randomWallets(2) as [string, string];
    await makeGroup('w', [first]);
    await makeGroup('d', [second]);
    const stream = { ...PLAIN, kinds: ['swaps', 'creations'] as const, walletListId: 'w', devListId: 'd', minSol: 10n };
    const time = new Date(clock.now()).toISOString();
    const made = await here.streams.create(owner, stream);
    expect(made).toEqual({
      id: expect.any(Number),
      token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      name: 'S',
      active: true,
      kinds: ['swaps', 'creations'],
      wallet_list_id: 'w',
      dev_list_id: 'd',
      wallets: [first],
      devs: [second],
      min_sol: '10',
      created_at: time,
      updated_at: time,
    });
    expect(await here.streams.list(owner)).toEqual([made]);
    expect(Buffer.from(made.token, 'base64url')).toHaveLength(32);
  });

  it('carry trades of three SOL and more in their feed unless they are told otherwise, and no list unless one is named', async () => {
    const made = await here.streams.create(owner, PLAIN);
    expect(made).toMatchObject({ min_sol: '3000000000', wallet_list_id: '', dev_list_id: '', wallets: [], devs: [] });
  });

  it.each([
    ['swaps without a list', { kinds: ['swaps'] as const }, 'wallet_list_required', 'wallet_list_id'],
    ['a wallet list that does not exist', { walletListId: 'none' }, 'group_not_found', 'wallet_list_id'],
    ['a wallet list of somebody else', { walletListId: 'theirs' }, 'group_not_found', 'wallet_list_id'],
    ['a developer list that does not exist', { devListId: 'none' }, 'dev_list_invalid', 'dev_list_id'],
    ['a developer list of somebody else', { devListId: 'theirs' }, 'dev_list_invalid', 'dev_list_id'],
  ] as const)('are not made, nor set, with %s', async (_what, settings, code, param) => {
    await makeGroup('theirs', randomWallets(1), await addOwner(accounts));
    await expect(here.streams.create(owner, { ...PLAIN, ...settings })).rejects.toMatchObject({ code, param });
    expect(await here.streams.list(owner)).toEqual([]);
    const made = await here.streams.create(owner, PLAIN);
    for (const active of [true, false]) {
      const set = here.streams.update(owner, made.id, { ...SAME, ...settings, active });
      await expect(set).rejects.toMatchObject({ code, param });
    }
    expect(await here.streams.list(owner)).toEqual([made]);
  });

  it('are as many as the plan says, whoever makes them at the same time', async () => {
    for (const [plan, limit] of Object.entries(LIMITS)) {
      owner = await addOwner(accounts, plan);
      const tries = Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? here : there).streams.create(owner, PLAIN));
      const outcomes = await Promise.allSettled(tries);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(limit);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') {
          expect(outcome.reason).toMatchObject({ code: 'stream_limit', details: { limit, used: limit } });
        }
      }
      const [first] = await here.streams.list(owner);
      await here.streams.delete(owner, first?.id ?? 0);
      expect((await here.streams.create(owner, PLAIN)).id).toBeGreaterThan(first?.id ?? 0);
    }
  });

  it('hold what their lists held when they were last set, and read them again whatever is set', async () => {
    const [first, second, third] = randomWallets(3) as [string, string, string];
    await makeGroup('w', [first]);
    await makeGroup('d', [third]);
    const { id } = await here.streams.create(owner, { ...PLAIN, kinds: ['swaps'], walletListId: 'w', devListId: 'd' });
    await here.groups.add(owner, 'w', { wallets: [second], note: undefined });
    await here.groups.remove(owner, 'd', third);
    expect(await here.streams.list(owner)).toMatchObject([{ wallets: [first], devs: [third] }]);
    const set = await here.streams.update(owner, id, SAME);
    expect(set).toMatchObject({ devs: [], dev_list_id: 'd' });
    expect(set?.wallets.toSorted()).toEqual([first, second].toSorted());
    expect(await here.streams.list(owner)).toEqual([set]);
  });

  it('keep what a deleted list held until they are set; off they lose it, on they need another', async () => {
    const [wallet] = randomWallets(1) as [string];
    await makeGroup('w', [wallet]);
    const { id } = await here.streams.create(owner, { ...PLAIN, kinds: ['swaps'], walletListId: 'w' });
    await here.groups.delete(owner, 'w');
    expect(await here.streams.list(owner)).toMatchObject([{ active: true, wallets: [wallet], wallet_list_id: 'w' }]);
    const rename = { ...SAME, name: 'T' };
    await expect(here.streams.update(owner, id, rename)).rejects.toMatchObject({ code: 'group_not_found' });
    const off = await here.streams.update(owner, id, { ...rename, walletListId: 'w', active: false });
    expect(off).toMatchObject({ name: 'T', active: false, wallets: [], wallet_list_id: 'w' });
    const on = { ...SAME, active: true };
    await expect(here.streams.update(owner, id, on)).rejects.toMatchObject({ code: 'group_not_found' });
    await makeGroup('other', [wallet]);
    const other = await here.streams.update(owner, id, { ...on, walletListId: 'other' });
    expect(other).toMatchObject({ active: true, wallets: [wallet], wallet_list_id: 'other' });
  });

  it('take new settings one by one, and keep the others', async () => {
    await makeGroup('w', randomWallets(1));
    const made = await here.streams.create(owner, { ...PLAIN, walletListId: 'w' });
    const seen: unknown[] = [];
    for (const settings of [
      { name: 'T' },
      { kinds: ['feed', 'dev_score'] as const },
      { minSol: 500_000_000n },
      { active: false },
      { walletListId: '' },
    ]) {
      await clock.advance(1000);
      const set = await here.streams.update(owner, made.id, { ...SAME, ...settings });
      expect(set?.updated_at).toBe(new Date(clock.now()).toISOString());
      seen.push([set?.name, set?.kinds.join(), set?.min_sol, set?.active, set?.wallet_list_id, set?.wallets.length]);
    }
    expect(seen).toEqual([
      ['T', 'grad', '3000000000', true, 'w', 1],
      ['T', 'feed,dev_score', '3000000000', true, 'w', 1],
      ['T', 'feed,dev_score', '500000000', true, 'w', 1],
      ['T', 'feed,dev_score', '500000000', false, 'w', 1],
      ['T', 'feed,dev_score', '500000000', false, '', 0],
    ]);
    const { token, created_at, id } = made;
    expect(await here.streams.list(owner)).toMatchObject([{ token, created_at, id }]);
  });

  it('are nothing to anybody else', async () => {
    const stranger = await addOwner(accounts);
    const made = await here.streams.create(owner, PLAIN);
    told.length = 0;
    expect(await here.streams.list(stranger)).toEqual([]);
    expect(await here.streams.update(stranger, made.id, { ...SAME, name: 'Stolen' })).toBeUndefined();
    expect(await here.streams.rotate(stranger, made.id)).toBeUndefined();
    expect(await here.streams.delete(stranger, made.id)).toBe(false);
    expect(await here.streams.list(owner)).toEqual([made]);
    expect(told).toEqual([]);
  });

  it('tell every change, in this process at once and in the others by the same transaction', async () => {
    const { id } = await here.streams.create(owner, PLAIN);
    await here.streams.update(owner, id, { ...SAME, active: false });
    await here.streams.rotate(owner, id);
    await here.streams.delete(owner, id);
    expect(told).toEqual(Array(4).fill({ kind: 'stream', accountId: owner.accountId, streamId: id }));
    expect(await recorded()).toEqual(Array(4).fill({ kind: 'stream', account_id: owner.accountId, stream_id: id }));
  });

  it('are in the audit with whoever changed them, by key or session, and without their tokens', async () => {
    const byKey = { ...owner, keyId: 12 };
    const { id } = await here.streams.create(byKey, { ...PLAIN, name: 'S' });
    await here.streams.update(owner, id, { ...SAME, name: 'T', active: false });
    await here.streams.rotate(byKey, id);
    await here.streams.delete(owner, id);
    await expect(here.streams.update(owner, id, SAME)).resolves.toBeUndefined();
    const entries = await listAudit(accounts.db, owner.accountId, { limit: 10 });
    expect(entries.map(({ actor, action, key_id, details }) => [actor, action, key_id, details])).toEqual([
      ['session', 'stream.delete', undefined, { stream: id }],
      ['key', 'stream.rotate', 12, { stream: id }],
      ['session', 'stream.change', undefined, { stream: id, name: 'T', active: false }],
      ['key', 'stream.create', 12, { stream: id, name: 'S' }],
    ]);
  });

  it('tell no change of what was refused or not there', async () => {
    const { id } = await here.streams.create(owner, PLAIN);
    const before = await recorded();
    told.length = 0;
    await expect(here.streams.update(owner, id, { ...SAME, devListId: 'none' })).rejects.toThrow();
    await expect(here.streams.create(owner, { ...PLAIN, kinds: ['swaps'] })).rejects.toThrow();
    await here.streams.delete(owner, id + 1);
    expect([told, await recorded()]).toEqual([[], before]);
  });

  describe('tokens', () => {
    it('open the stream as it stands, in every process', async () => {
      const [wallet, dev] = randomWallets(2) as [string, string];
      await makeGroup('w', [wallet]);
      await makeGroup('d', [dev]);
      const lists = { walletListId: 'w', devListId: 'd' };
      const made = await here.streams.create(owner, { ...PLAIN, kinds: ['swaps', 'feed'], ...lists });
      expect(await there.streamTokens.find(made.token)).toEqual({
        id: made.id,
        accountId: owner.accountId,
        owner: owner.wallet,
        tokenCode: expect.any(Buffer),
        active: true,
        kinds: ['swaps', 'feed'],
        wallets: [wallet],
        devs: [dev],
        minSol: 3_000_000_000n,
      });
      await here.streams.update(owner, made.id, { ...SAME, active: false, devListId: '' });
      expect(await there.streamTokens.find(made.token)).toMatchObject({ active: false, devs: undefined });
    });

    it('of a developer list that holds nobody carry nobody’s tokens, not everybody’s', async () => {
      await makeGroup('d', []);
      const { token } = await here.streams.create(owner, { ...PLAIN, devListId: 'd' });
      expect(await here.streamTokens.find(token)).toMatchObject({ devs: [] });
    });

    it('open nothing once they were replaced or their stream is gone', async () => {
      const made = await here.streams.create(owner, PLAIN);
      const rotated = await here.streams.rotate(owner, made.id);
      expect(rotated).toEqual({ ...made, token: rotated?.token, updated_at: rotated?.updated_at });
      expect(await there.streamTokens.find(made.token)).toBeUndefined();
      expect(await there.streamTokens.find(rotated?.token ?? '')).toMatchObject({ id: made.id });
      await here.streams.delete(owner, made.id);
      expect(await there.streamTokens.find(rotated?.token ?? '')).toBeUndefined();
    });

    it.each(['', 'x', 'ä'.repeat(43), `${'a'.repeat(43)}\u0000`, 'a'.repeat(44), "' OR 1=1 --"])(
      'are not %j, which is not even looked for',
      async (text) => {
        expect(await here.streamTokens.find(text)).toBeUndefined();
      },
    );
  });
});
