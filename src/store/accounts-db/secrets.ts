import type { Kysely, Transaction } from 'kysely';
import { type Logger, silentLogger } from '../../kernel/log.ts';
import { AccountsError } from './accounts-error.ts';
import type { Engine } from './engine.ts';
import { lockOpening } from './opening-lock.ts';
import type { AccountsSchema } from './schema.ts';
import { keyIdOf, type SecretBox } from './secret-box.ts';
import { KEY_ID_SETTING, PAGE_SECRET_SETTING } from './secret-places.ts';
import {
  findSecretsKey,
  type HeldKey,
  makeSecretsKey,
  SECRETS_KEY_SETTING,
  type SecretsKeyPlace,
} from './secrets-key.ts';

type Database = Kysely<AccountsSchema> | Transaction<AccountsSchema>;

/**
 * Opens the secrets of a database of the newest version. The first that ever does makes the key, when there is none,
 * and notes its id; everybody after it must have the same key. Throws AccountsError: `secrets_key_missing`,
 * `secrets_key_wrong`, `secrets_key_unusable`.
 */
export async function openSecrets(
  db: Kysely<AccountsSchema>,
  engine: Engine,
  place: SecretsKeyPlace | undefined,
  log: Logger = silentLogger,
): Promise<SecretBox> {
  return db.transaction().execute(async (transaction) => {
    await lockOpening(transaction, engine);
    const sealedWith = await findKeyId(transaction);
    if (sealedWith === undefined) return (await adoptKey(transaction, place, log)).box;
    const { box } = await getKeyOf(sealedWith, place, log);
    // The note may be gone, and whoever writes a secret asks it.
    await transaction
      .insertInto('settings')
      .values({ name: KEY_ID_SETTING, value: sealedWith })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return box;
  });
}

/**
 * Seals with the key at hand, or a new one, from now on. For a database in which nothing is sealed. Throws AccountsError:
 * `secrets_key_missing` where there is none and none may be made, `secrets_key_unusable`.
 */
export async function adoptKey(
  transaction: Transaction<AccountsSchema>,
  place: SecretsKeyPlace | undefined,
  log: Logger = silentLogger,
): Promise<HeldKey> {
  if (place === undefined) throw missing('no place for a key was named');
  const held = (await findSecretsKey(place, log)) ?? (await newKey(place));
  const value = held.box.keyId;
  await transaction
    .insertInto('settings')
    .values({ name: KEY_ID_SETTING, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
  return held;
}

/** A key that is made elsewhere than where the service finds it would be lost, and every secret with it. */
async function newKey({ file, mayMake }: SecretsKeyPlace): Promise<HeldKey> {
  if (mayMake) return makeSecretsKey(file);
  throw missing(
    `secrets of the accounts have to be sealed, and there is no key here: start the service first, which makes one, or set ${SECRETS_KEY_SETTING}, or put the key into ${file}`,
  );
}

/**
 * Id of the key that secrets of a database are sealed with; undefined when none is. Should the note of it be
 * gone, whatever is sealed tells.
 */
export async function findKeyId(db: Database): Promise<string | undefined> {
  const settings = await db
    .selectFrom('settings')
    .selectAll()
    .where('name', 'in', [KEY_ID_SETTING, PAGE_SECRET_SETTING])
    .execute();
  const settingOf = (wanted: string) => settings.find(({ name }) => name === wanted)?.value;
  const noted = settingOf(KEY_ID_SETTING);
  if (noted !== undefined) return noted;
  const pageSecret = settingOf(PAGE_SECRET_SETTING);
  if (pageSecret !== undefined) return keyIdOf(Buffer.from(pageSecret, 'base64url'));
  const stream = await db.selectFrom('streams').select('token_sealed').orderBy('id').limit(1).executeTakeFirst();
  return stream === undefined ? undefined : keyIdOf(stream.token_sealed);
}

/** The key at hand, which must be this one. Throws AccountsError: `secrets_key_missing`, `secrets_key_wrong`, `secrets_key_unusable`. */
export async function getKeyOf(
  keyId: string,
  place: SecretsKeyPlace | undefined,
  log: Logger = silentLogger,
): Promise<HeldKey> {
  if (place === undefined) throw missing('no place for a key was named');
  const found = await findSecretsKey(place, log);
  const needed = `secrets of the accounts are sealed with the key ${keyId}`;
  if (found === undefined) {
    throw missing(`${needed}, which is not there: put it into ${place.file}, or set ${SECRETS_KEY_SETTING}`);
  }
  if (found.box.keyId === keyId) return found;
  throw new AccountsError(
    'secrets_key_wrong',
    `${needed}, and ${found.from} holds the key ${found.box.keyId}: the right one belongs into ${SECRETS_KEY_SETTING} or ${place.file}`,
  );
}

/**
 * In the transaction that writes a sealed secret: whether it is still the key of all others, which it stays until the
 * transaction ends. Throws AccountsError `secrets_key_wrong`.
 */
export async function assertKeyInUse(
  transaction: Transaction<AccountsSchema>,
  engine: Engine,
  { keyId }: SecretBox,
): Promise<void> {
  const noted = await transaction
    .selectFrom('settings')
    .select('value')
    .where('name', '=', KEY_ID_SETTING)
    // Whoever changes the key waits, and those who write at the same time do not. SQLite's transaction has the lock already.
    .$if(engine === 'postgres', (query) => query.forShare())
    .executeTakeFirst();
  if (noted?.value === keyId) return;
  throw new AccountsError('secrets_key_wrong', `secrets get another key than ${keyId} by now: start the service again`);
}

function missing(message: string): AccountsError {
  return new AccountsError('secrets_key_missing', message);
}
