import type { ExpressionBuilder, Kysely, Transaction } from 'kysely';
import { ApiError } from '../../contract/errors.ts';
import type { AccountsSchema, WalletGroupMembersTable, WalletGroupsTable } from '../../store/accounts-db/schema.ts';
import { MAX_GROUP_WALLETS, MAX_LISTED_WALLETS } from './contract-limits.ts';
import type { GroupMember } from './contract-shapes.ts';
import { inOrder, listTime } from './list-owner.ts';

/** Wallets to add. */
export interface NewMembers {
  /** Each once. */
  readonly wallets: readonly string[];
  /** Of all of them: replaces what was written, empty takes it away, undefined leaves it. */
  readonly note: string | undefined;
}

type Db = Kysely<AccountsSchema> | Transaction<AccountsSchema>;
type MemberRow = Pick<WalletGroupMembersTable, 'wallet' | 'note' | 'added_at'>;
const MEMBER_COLUMNS = ['wallet', 'note', 'added_at'] as const;

/** Wallets of a group, in the order in which they came; undefined when its owner has no such group. */
export async function resolveGroup(db: Db, owner: string, id: string): Promise<readonly string[] | undefined> {
  if ((await findGroup(db, owner, id)) === undefined) return undefined;
  return (await readMembers(db, owner, id)).map(({ wallet }) => wallet);
}

export function findGroup(db: Db, owner: string, id: string): Promise<WalletGroupsTable | undefined> {
  return db.selectFrom('wallet_groups').selectAll().where('owner', '=', owner).where('id', '=', id).executeTakeFirst();
}

/** Members of a group, in the order in which they came. */
export async function readMembers(db: Db, owner: string, id: string): Promise<readonly MemberRow[]> {
  const rows = await db
    .selectFrom('wallet_group_members')
    .select(MEMBER_COLUMNS)
    .where('owner', '=', owner)
    .where('group_id', '=', id)
    .limit(MAX_GROUP_WALLETS)
    .execute();
  return inOrderOfComing(rows);
}

/** Members of all groups of an owner, in the order in which they came. */
export async function readAllMembers(db: Db, owner: string): Promise<readonly (MemberRow & { group_id: string })[]> {
  const rows = await db
    .selectFrom('wallet_group_members')
    .select(['group_id', ...MEMBER_COLUMNS])
    .where('owner', '=', owner)
    .limit(MAX_LISTED_WALLETS)
    .execute();
  return inOrderOfComing(rows);
}

function inOrderOfComing<R extends MemberRow>(rows: readonly R[]): R[] {
  return inOrder(
    rows,
    (row) => row.added_at,
    (row) => row.wallet,
  );
}

/**
 * Adds wallets to a group, all of them or none. How many were not in it; undefined when its owner has no such group.
 * @throws {ApiError} group_full, too_many_items
 */
export async function addMembers(
  transaction: Transaction<AccountsSchema>,
  owner: string,
  id: string,
  { wallets, note }: NewMembers,
  now: number,
): Promise<number | undefined> {
  if ((await findGroup(transaction, owner, id)) === undefined) return undefined;
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('wallet_group_members')
    .values(wallets.map((wallet) => ({ owner, group_id: id, wallet, note: note || null, added_at: now })))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  const added = Number(numInsertedOrUpdatedRows ?? 0n);
  if (added > 0) await assertFits(transaction, owner, id);
  const noted = note === undefined ? 0 : await writeNote(transaction, owner, id, wallets, note || null);
  if (added + noted > 0) await touchGroup(transaction, owner, id, now);
  return added;
}

/** Refuses what was just added, which undoes it, when it is too much. */
async function assertFits(transaction: Transaction<AccountsSchema>, owner: string, id: string): Promise<void> {
  const counts = await transaction
    .selectFrom('wallet_group_members')
    .select(({ fn }) => ['group_id', fn.countAll<number>().as('count')])
    .where('owner', '=', owner)
    .groupBy('group_id')
    .execute();
  if (counts.some((group) => group.group_id === id && Number(group.count) > MAX_GROUP_WALLETS)) throw groupFull();
  if (counts.reduce((sum, { count }) => sum + Number(count), 0) > MAX_LISTED_WALLETS) {
    throw new ApiError('too_many_items', {
      message: `the groups of a wallet hold at most ${MAX_LISTED_WALLETS} wallets together`,
      details: { max: MAX_LISTED_WALLETS },
    });
  }
}

/** Writes a note on members of a group. Returns how many notes it changed. */
async function writeNote(
  transaction: Transaction<AccountsSchema>,
  owner: string,
  id: string,
  wallets: readonly string[],
  note: string | null,
): Promise<number> {
  const { numUpdatedRows } = await transaction
    .updateTable('wallet_group_members')
    .set({ note })
    .where('owner', '=', owner)
    .where('group_id', '=', id)
    .where('wallet', 'in', wallets)
    .where((member) => (note === null ? member('note', 'is not', null) : isAnother(member, note)))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

function isAnother(member: ExpressionBuilder<AccountsSchema, 'wallet_group_members'>, note: string) {
  return member.or([member('note', 'is', null), member('note', '<>', note)]);
}

/** Takes a wallet out, if it is in. False when its owner has no such group. */
export async function removeMember(
  transaction: Transaction<AccountsSchema>,
  owner: string,
  id: string,
  wallet: string,
  now: number,
): Promise<boolean> {
  if ((await findGroup(transaction, owner, id)) === undefined) return false;
  const { numDeletedRows } = await transaction
    .deleteFrom('wallet_group_members')
    .where('owner', '=', owner)
    .where('group_id', '=', id)
    .where('wallet', '=', wallet)
    .executeTakeFirst();
  if (numDeletedRows > 0n) await touchGroup(transaction, owner, id, now);
  return true;
}

async function touchGroup(
  transaction: Transaction<AccountsSchema>,
  owner: string,
  id: string,
  now: number,
): Promise<void> {
  await transaction
    .updateTable('wallet_groups')
    .set({ updated_at: now })
    .where('owner', '=', owner)
    .where('id', '=', id)
    .execute();
}

function groupFull(): ApiError {
  return new ApiError('group_full', { details: { max: MAX_GROUP_WALLETS } });
}

export function toMember({ wallet, note, added_at }: MemberRow) {
  return { wallet, ...(note === null ? {} : { note }), added_at: listTime(added_at) } satisfies GroupMember;
}
