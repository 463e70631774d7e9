import { timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { AccountsSchema } from '../../store/accounts-db/schema.ts';
import type { SecretBox } from '../../store/accounts-db/secret-box.ts';
import { isStreamToken, openStreamToken, type ServedStream, toServedStream } from './stream-row.ts';

/** Finds the stream that a token opens. */
export interface StreamDirectory {
  /**
   * As it stands, on or off, whosever it is; undefined when the token opens none, or none any more. Rejects when streams cannot be read.
   *
   * Nothing is remembered: a connection asks once, and then for its filters each time a change of its
   * stream is told. Whether it may stay open is judged with the rest of its rights.
   */
  find(token: string): Promise<ServedStream | undefined>;
}

/** The streams of the accounts database. What cannot be a token is refused without a look-up. */
export function createStreamDirectory(
  db: Kysely<AccountsSchema>,
  secrets: Pick<SecretBox, 'open' | 'codeOf'>,
): StreamDirectory {
  return {
    async find(token) {
      if (!isStreamToken(token)) return undefined;
      const code = secrets.codeOf(token);
      const row = await db.selectFrom('streams').selectAll().where('token_code', '=', code).executeTakeFirst();
      if (row === undefined) return undefined;
      // A code that somebody wrote into another row opens nothing there.
      const isItsOwn = timingSafeEqual(Buffer.from(openStreamToken(row, secrets)), Buffer.from(token));
      return isItsOwn ? toServedStream(row) : undefined;
    },
  };
}
