import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import type { AccountsPlace } from '../store/accounts-backup.ts';
import { type AccountsDatabase, openAccountsDatabase } from '../store/accounts-db/accounts-db.ts';
import { SECRETS_KEY_FILE } from '../store/accounts-db/secrets-key.ts';

type AccountsConfig = Pick<Config, 'databaseUrl' | 'dataDir' | 'secretsKey'>;

/** Things that accounts are opened with. */
export interface AccountsSurroundings {
  readonly clock: Clock;
  readonly log: Logger;
  /**
   * True when the key of their secrets may be made in the data folder, which has to be the one that the service runs
   * on.
   */
  readonly mayMakeKey: boolean;
}

/** The configured place of accounts, and of the key of their secrets. */
export function accountsPlace(
  { databaseUrl, dataDir, secretsKey }: AccountsConfig,
  mayMakeKey: boolean,
): AccountsPlace {
  return {
    url: databaseUrl,
    path: join(dataDir, 'accounts.db'),
    key: { setting: secretsKey, file: join(dataDir, SECRETS_KEY_FILE), mayMake: mayMakeKey },
  };
}

/** Opens the accounts wherever the configuration keeps them. */
export function openAccounts(
  config: AccountsConfig,
  { mayMakeKey, ...surroundings }: AccountsSurroundings,
): Promise<AccountsDatabase> {
  return openAccountsDatabase({ ...accountsPlace(config, mayMakeKey), ...surroundings });
}
