import type { Kysely } from 'kysely';
import { ApiError } from '../../contract/errors.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { AccountsSchema } from '../../store/accounts-db/schema.ts';
import { MAX_FAVORITES } from './contract-limits.ts';
import type { Favorite } from './contract-shapes.ts';
import { changeLists, inOrder, type ListOwner } from './list-owner.ts';

/** The favorite wallets of whoever asks. */
export interface FavoriteStore {
  /** In the order in which they were added. */
  list(owner: ListOwner): Promise<readonly Favorite[]>;
  /**
   * Adds a wallet. One that is a favorite already stays where it is: an alias replaces its
   * alias, an empty one takes it away, undefined leaves it.
   * @throws {ApiError} too_many_items when the owner has as many as it may have.
   */
  add(owner: ListOwner, wallet: string, alias: string | undefined): Promise<void>;
  /** Takes a wallet off, if it is a favorite. */
  remove(owner: ListOwner, wallet: string): Promise<void>;
}

/** The favorites of the accounts database. */
export function createFavoriteStore(db: Kysely<AccountsSchema>, clock: Pick<Clock, 'now'>): FavoriteStore {
  return {
    async list({ wallet: owner }) {
      const rows = await db
        .selectFrom('wallet_favorites')
        .select(['wallet', 'alias', 'added_at'])
        .where('owner', '=', owner)
        .limit(MAX_FAVORITES)
        .execute();
      const added = inOrder(
        rows,
        (row) => row.added_at,
        (row) => row.wallet,
      );
      return added.map(({ wallet, alias }) => ({ wallet, ...(alias === null ? {} : { alias }) }) satisfies Favorite);
    },
    add: (owner, wallet, alias) =>
      changeLists(db, owner, async (transaction) => {
        const values = { owner: owner.wallet, wallet, alias: alias || null, added_at: clock.now() };
        const { numInsertedOrUpdatedRows } = await transaction
          .insertInto('wallet_favorites')
          .values(values)
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        if (numInsertedOrUpdatedRows === 1n) {
          const { count } = await transaction
            .selectFrom('wallet_favorites')
            .select(({ fn }) => fn.countAll<number>().as('count'))
            .where('owner', '=', owner.wallet)
            .executeTakeFirstOrThrow();
          if (Number(count) > MAX_FAVORITES) throw tooMany();
        } else if (alias !== undefined) {
          await transaction
            .updateTable('wallet_favorites')
            .set({ alias: alias || null })
            .where('owner', '=', owner.wallet)
            .where('wallet', '=', wallet)
            .execute();
        }
      }),
    remove: (owner, wallet) =>
      changeLists(db, owner, async (transaction) => {
        await transaction
          .deleteFrom('wallet_favorites')
          .where('owner', '=', owner.wallet)
          .where('wallet', '=', wallet)
          .execute();
      }),
  };
}

function tooMany(): ApiError {
  return new ApiError('too_many_items', {
    message: `a wallet has at most ${MAX_FAVORITES} favorites`,
    details: { max: MAX_FAVORITES },
  });
}
