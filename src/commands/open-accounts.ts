import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import type { AccountsPlace } from '../store/accounts-backup.ts';
import { type AccountsDatabase, openAccountsDatabase } from '../store/accounts-db/accounts-db.ts';
import { SECRETS_KEY_FILE } from '../store/accounts-db/secrets-key.ts';

type AccountsConfig = Pick<Config, 'databaseUrl' | 'dataDir' | 'secretsKey'>;

/** Where the configuration keeps accounts, and the key of their secrets. */
export function accountsPlace({ databaseUrl, dataDir, secretsKey }: AccountsConfig): AccountsPlace {
  return {
    url: databaseUrl,
    path: join(dataDir, 'accounts.db'),
    key: { setting: secretsKey, file: join(dataDir, SECRETS_KEY_FILE) },
  };
}

/** Opens the accounts wherever the configuration keeps them. */
export function openAccounts(
  config: AccountsConfig,
  surroundings: { readonly clock: Clock; readonly log?: Logger },
): Promise<AccountsDatabase> {
  return openAccountsDatabase({ ...accountsPlace(config), ...surroundings });
}
