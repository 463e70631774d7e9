import type { Kysely } from 'kysely';
import type { AccountsSchema } from '../../store/accounts-db/schema.ts';
import { isStreamToken, type StreamHolder, toStreamHolder } from './stream-row.ts';

/** Finds the stream that a token opens. */
export interface StreamDirectory {
  /**
   * As it stands, on or off; undefined when the token opens none, or none any more. Rejects when streams cannot be read.
   *
   * Nothing is remembered: a connection asks once, and then each time a change of its stream is
   * told. What it finds then is what counts from there on: another token's stream, or one that is off, closes it.
   */
  find(token: string): Promise<StreamHolder | undefined>;
}

/** The streams of the accounts database. What cannot be a token is refused without a look-up. */
export function createStreamDirectory(db: Kysely<AccountsSchema>): StreamDirectory {
  return {
    async find(token) {
      if (!isStreamToken(token)) return undefined;
      const row = await db.selectFrom('streams').selectAll().where('token', '=', token).executeTakeFirst();
      return row === undefined ? undefined : toStreamHolder(row);
    },
  };
}
