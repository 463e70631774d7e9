import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import { type AccountsDatabase, openAccountsDatabase } from '../store/accounts-db/accounts-db.ts';

/** Opens the accounts wherever the configuration keeps them. */
export function openAccounts(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  surroundings: { readonly clock: Clock; readonly log?: Logger },
): Promise<AccountsDatabase> {
  return openAccountsDatabase({
    url: config.databaseUrl,
    path: join(config.dataDir, 'accounts.db'),
    ...surroundings,
  });
}
