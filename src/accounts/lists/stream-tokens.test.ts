import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ENGINES, type TestAccounts } from '../../../test/support/accounts-engines.ts';
import { addOwner } from '../../../test/support/list-owners.ts';
import { systemClock as clock } from '../../kernel/clock.ts';
import type { ListOwner } from './list-owner.ts';
import { createLists, type Lists } from './lists.ts';
import type { NewStream } from './stream-store.ts';

const PLAIN: NewStream = { name: 'S', kinds: ['grad'], walletListId: '', devListId: '', minSol: undefined };

/** Against somebody who can write to the database and has no key. */
describe.each(ENGINES)('tokens of streams on $engine', ({ open }) => {
  let accounts: TestAccounts;
  let lists: Lists;
  let owner: ListOwner;
  beforeAll(async () => {
    accounts = await open();
    const secrets = await accounts.secrets();
    lists = createLists({ ...accounts, clock, changes: { tell() {} }, secrets, streamLimit: () => 3 });
  });
  afterAll(() => accounts.close());
  beforeEach(async () => {
    owner = await addOwner(accounts);
  });

  it('of one row open nothing and are shown to nobody in another, whoever moved them there', async () => {
    const stranger = await addOwner(accounts);
    const theirs = await lists.streams.create(owner, PLAIN);
    const own = await lists.streams.create(stranger, PLAIN);
    const { token_sealed, token_code } = await accounts.db
      .selectFrom('streams')
      .select(['token_sealed', 'token_code'])
      .where('id', '=', theirs.id)
      .executeTakeFirstOrThrow();
    const move = (values: object) => accounts.db.updateTable('streams').set(values).where('id', '=', own.id).execute();
    await move({ token_sealed });
    await expect(lists.streams.list(stranger)).rejects.toMatchObject({ code: 'secret_unreadable' });
    await accounts.db.deleteFrom('streams').where('id', '=', theirs.id).execute();
    await move({ token_sealed, token_code });
    await expect(lists.streamTokens.find(theirs.token)).rejects.toMatchObject({ code: 'secret_unreadable' });
  });

  it('that are found by a code that somebody wrote into another row open nothing there', async () => {
    const first = await lists.streams.create(owner, PLAIN);
    const second = await lists.streams.create(owner, PLAIN);
    const { token_code } = await accounts.db
      .selectFrom('streams')
      .select('token_code')
      .where('id', '=', first.id)
      .executeTakeFirstOrThrow();
    await accounts.db.deleteFrom('streams').where('id', '=', first.id).execute();
    await accounts.db.updateTable('streams').set({ token_code }).where('id', '=', second.id).execute();
    expect(await lists.streamTokens.find(first.token)).toBeUndefined();
  });
});
