import type { Transaction } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import type { AccountsDatabase } from '../../store/accounts-db/accounts-db.ts';
import { lockOpening } from '../../store/accounts-db/opening-lock.ts';
import type { AccountsSchema } from '../../store/accounts-db/schema.ts';
import type { SecretBox } from '../../store/accounts-db/secret-box.ts';
import { PAGE_SECRET_SETTING } from '../../store/accounts-db/secret-places.ts';
import { adoptKey } from '../../store/accounts-db/secrets.ts';
import type { SecretsKeyPlace } from '../../store/accounts-db/secrets-key.ts';
import { recordAudit } from '../audit.ts';
import { recordChange } from '../changes.ts';
import { createStreamToken, sealStreamToken } from '../lists/stream-row.ts';

/** Secrets of everybody, for the operator. */
export interface SecretsAdmin {
  /**
   * Gives every stream another token and page sessions another secret, sealed with the key at hand or a new one: when
   * the key was lost, is to be another, or has come into wrong hands together with the database. Nothing old is read.
   * Processes that serve must not run: theirs is the key of before.
   */
  renew(): Promise<RenewedSecrets>;
}

export interface RenewedSecrets {
  /** Id of the key that everything is sealed with now. */
  readonly key_id: string;
  /** Place of that key: a setting's name or a file's, on the machine that this runs on. */
  readonly kept_in: string;
  /** Streams that have another token. */
  readonly streams: number;
}

export interface SecretsAdminOptions extends Pick<AccountsDatabase, 'db' | 'engine'> {
  readonly key: SecretsKeyPlace | undefined;
  readonly clock: Pick<Clock, 'now'>;
  /** Hears of a key that others could read. */
  readonly log?: Logger;
}

/** Streams that are read and held at once. */
const PAGE_ROWS = 500;

export function createSecretsAdmin({ db, engine, key, clock, log }: SecretsAdminOptions): SecretsAdmin {
  return {
    renew: () =>
      db.transaction().execute(async (transaction) => {
        await lockOpening(transaction, engine);
        const { box, from } = await adoptKey(transaction, key, log);
        // The service makes another when it starts.
        await transaction.deleteFrom('settings').where('name', '=', PAGE_SECRET_SETTING).execute();
        return { key_id: box.keyId, kept_in: from, streams: await renewTokens(transaction, box, clock) };
      }),
  };
}

async function renewTokens(
  transaction: Transaction<AccountsSchema>,
  box: SecretBox,
  clock: Pick<Clock, 'now'>,
): Promise<number> {
  let renewed = 0;
  for (let after = 0; ; ) {
    const streams = await transaction
      .selectFrom('streams')
      .select(['id', 'account_id', 'owner'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE_ROWS)
      .execute();
    for (const stream of streams) {
      const sealed = sealStreamToken(createStreamToken(), stream, box);
      const values = { ...sealed, updated_at: clock.now() };
      await transaction.updateTable('streams').set(values).where('id', '=', stream.id).execute();
      const { id, account_id: accountId } = stream;
      await recordChange(transaction, { kind: 'stream', accountId, streamId: id }, clock);
      const entry = { actor: 'operator', action: 'stream.rotate', accountId, details: { stream: id } } as const;
      await recordAudit(transaction, entry, clock);
    }
    renewed += streams.length;
    if (streams.length < PAGE_ROWS) return renewed;
    after = streams.at(-1)?.id ?? after;
  }
}
