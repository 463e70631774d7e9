import { randomBytes } from 'node:crypto';
import type { ExpressionBuilder, Kysely, Transaction } from 'kysely';
import { ApiError } from '../../contract/errors.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { AccountsSchema, WalletGroupsTable } from '../../store/accounts-db/schema.ts';
import { MAX_GROUPS } from './contract-limits.ts';
import type { GroupMember, WalletGroup } from './contract-shapes.ts';
import {
  addMembers,
  findGroup,
  type NewMembers,
  readAllMembers,
  readMembers,
  removeMember,
  toMember,
} from './group-members.ts';
import { changeLists, inOrder, type ListOwner, listTime } from './list-owner.ts';

/** The wallet groups of whoever asks. Of another owner's there is nothing to be seen. */
export interface GroupStore {
  /** In the order in which they were made, with or without who is in them. */
  list(owner: ListOwner, withMembers: boolean): Promise<readonly WalletGroup[]>;
  find(owner: ListOwner, id: string): Promise<WalletGroup | undefined>;
  /**
   * Makes a group without wallets; without an id it gets one.
   * @throws {ApiError} group_exists; too_many_items when the owner has as many as it may have.
   */
  create(owner: ListOwner, group: { readonly id: string | undefined; readonly name: string }): Promise<WalletGroup>;
  /** False when there is no such group. */
  rename(owner: ListOwner, id: string, name: string): Promise<boolean>;
  /** False when there is no such group. */
  delete(owner: ListOwner, id: string): Promise<boolean>;
  /**
   * Adds wallets to a group. Returns how many of them were not in it; undefined when there is no such group.
   * @throws {ApiError} group_full, too_many_items when not all of them fit: then none is added.
   */
  add(owner: ListOwner, id: string, members: NewMembers): Promise<number | undefined>;
  /** Takes a wallet out, if it is in. False when there is no such group. */
  remove(owner: ListOwner, id: string, wallet: string): Promise<boolean>;
}

/** The groups of the accounts database. */
export function createGroupStore(db: Kysely<AccountsSchema>, clock: Pick<Clock, 'now'>): GroupStore {
  return {
    list: (owner, withMembers) => (withMembers ? readWithMembers(db, owner) : readRows(db, owner)),
    async find({ wallet: owner }, id) {
      // Members first: a group that goes in between is then not found, and never seen empty.
      const members = await readMembers(db, owner, id);
      const group = await findGroup(db, owner, id);
      if (group === undefined) return undefined;
      return toGroup(group, members.length, members.map(toMember));
    },
    create: (owner, group) =>
      changeLists(db, owner, (transaction) => insertGroup(transaction, owner.wallet, group, clock.now())),
    rename: (owner, id, name) =>
      changeLists(db, owner, async (transaction) => {
        const before = await findGroup(transaction, owner.wallet, id);
        if (before === undefined) return false;
        if (before.name === name) return true;
        await transaction
          .updateTable('wallet_groups')
          .set({ name, updated_at: clock.now() })
          .where('owner', '=', owner.wallet)
          .where('id', '=', id)
          .execute();
        return true;
      }),
    delete: (owner, id) =>
      changeLists(db, owner, async (transaction) => {
        await transaction
          .deleteFrom('wallet_group_members')
          .where('owner', '=', owner.wallet)
          .where('group_id', '=', id)
          .execute();
        const { numDeletedRows } = await transaction
          .deleteFrom('wallet_groups')
          .where('owner', '=', owner.wallet)
          .where('id', '=', id)
          .executeTakeFirst();
        return numDeletedRows === 1n;
      }),
    add: (owner, id, members) =>
      changeLists(db, owner, (transaction) => addMembers(transaction, owner.wallet, id, members, clock.now())),
    remove: (owner, id, wallet) =>
      changeLists(db, owner, (transaction) => removeMember(transaction, owner.wallet, id, wallet, clock.now())),
  };
}

async function readRows(db: Kysely<AccountsSchema>, { wallet: owner }: ListOwner): Promise<readonly WalletGroup[]> {
  const rows = await db
    .selectFrom('wallet_groups')
    .selectAll()
    .select((group) => countMembers(group).as('count'))
    .where('owner', '=', owner)
    .limit(MAX_GROUPS)
    .execute();
  return inOrderOfMaking(rows).map(({ count, ...group }) => toGroup(group, Number(count)));
}

function countMembers(group: ExpressionBuilder<AccountsSchema, 'wallet_groups'>) {
  return group
    .selectFrom('wallet_group_members as member')
    .whereRef('member.owner', '=', 'wallet_groups.owner')
    .whereRef('member.group_id', '=', 'wallet_groups.id')
    .select(({ fn }) => fn.countAll<number>().as('count'));
}

async function readWithMembers(
  db: Kysely<AccountsSchema>,
  { wallet: owner }: ListOwner,
): Promise<readonly WalletGroup[]> {
  // Members first: a group that goes in between is then not listed, and never seen empty.
  const allMembers = await readAllMembers(db, owner);
  const groups = await db
    .selectFrom('wallet_groups')
    .selectAll()
    .where('owner', '=', owner)
    .limit(MAX_GROUPS)
    .execute();
  const byGroup = new Map<string, GroupMember[]>(groups.map(({ id }) => [id, []]));
  for (const member of allMembers) byGroup.get(member.group_id)?.push(toMember(member));
  return inOrderOfMaking(groups).map((group) => {
    const members = byGroup.get(group.id) ?? [];
    return toGroup(group, members.length, members);
  });
}

function inOrderOfMaking<R extends WalletGroupsTable>(rows: readonly R[]): R[] {
  return inOrder(
    rows,
    (row) => row.created_at,
    (row) => row.id,
  );
}

async function insertGroup(
  transaction: Transaction<AccountsSchema>,
  owner: string,
  { id = newGroupId(), name }: { readonly id: string | undefined; readonly name: string },
  now: number,
): Promise<WalletGroup> {
  const group = { owner, id, name, created_at: now, updated_at: now };
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('wallet_groups')
    .values(group)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n) throw new ApiError('group_exists', { param: 'id' });
  const { count } = await transaction
    .selectFrom('wallet_groups')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner', '=', owner)
    .executeTakeFirstOrThrow();
  if (Number(count) > MAX_GROUPS) {
    throw new ApiError('too_many_items', {
      message: `a wallet has at most ${MAX_GROUPS} groups`,
      details: { max: MAX_GROUPS },
    });
  }
  return toGroup(group, 0, []);
}

function toGroup(
  { id, name, created_at, updated_at }: WalletGroupsTable,
  count: number,
  members?: GroupMember[],
): WalletGroup {
  return {
    id,
    name,
    count,
    created_at: listTime(created_at),
    updated_at: listTime(updated_at),
    ...(members === undefined ? {} : { members }),
  };
}

const ID_CHARACTERS = 12;
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** `g_` and 60 random bits. */
function newGroupId(): string {
  return `g_${Array.from(randomBytes(ID_CHARACTERS), (byte) => BASE32[byte % BASE32.length]).join('')}`;
}
