import type { Config } from '../config.ts';
import { systemClock } from '../kernel/clock.ts';
import { createLogger, type Logger } from '../kernel/log.ts';
import type { NeededKey } from '../store/accounts-backup.ts';
import {
  type AccountsBackupOptions,
  backupOnlyAccounts,
  backupStore,
  restoreOnlyAccounts,
  restoreStore,
} from '../store/store-backup.ts';
import { type Command, CommandMisuse, readWords } from './command.ts';
import { accountsPlace } from './open-accounts.ts';
import { chainFolder, existingStoreFolder, storeFolder } from './store-folder.ts';

const BACKUP_USAGE = `usage: mintscope backup --to <folder> [--only accounts]

Copies the embedded store and the accounts into a folder, which must be empty or not there. Prints one line of JSON when it is whole.
The service must not run on the same data folder; started again, it fills what it missed meanwhile.
With --only accounts it copies no store, and the service may run.
Secrets of the accounts stay sealed. Their key, MINTSCOPE_SECRETS_KEY or secrets.key in the data folder, is not copied: keep it elsewhere.
A ClickHouse of your own (CLICKHOUSE_URL) has a BACKUP statement of its own.
`;

const RESTORE_USAGE = `usage: mintscope restore --from <folder> [--only accounts] [--key-later]

Puts a backup into the data folder, which must have neither a store nor accounts. Prove it afterwards with: mintscope verify
Accounts go where DATABASE_URL says, SQLite or Postgres, wherever they were when they were copied.
With --only accounts nothing but them is put back, and they are all that must not be there.
Accounts need the key that their secrets are sealed with: MINTSCOPE_SECRETS_KEY or secrets.key in the data folder. With --key-later
they come back without it; then the service starts when it is there, or behind: mintscope admin secrets renew
`;

export const backup: Command = {
  usage: BACKUP_USAGE,
  async run(config, words) {
    const { values } = readWords(words, { to: { type: 'string' }, only: { type: 'string' } });
    const accounts = accountsOptions(config, values.to, BACKUP_USAGE, false);
    const manifest = isOnlyAccounts(values.only, BACKUP_USAGE)
      ? await backupOnlyAccounts(accounts)
      : await backupStore({ ...accounts, dataDir: embeddedFolder(config, existingStoreFolder) });
    print(manifest);
    if (manifest.secrets_key !== undefined) process.stderr.write(`${keyAdvice(manifest.secrets_key)}\n`);
  },
};

export const restore: Command = {
  usage: RESTORE_USAGE,
  async run(config, words) {
    const { values } = readWords(words, {
      from: { type: 'string' },
      only: { type: 'string' },
      'key-later': { type: 'boolean', default: false },
    });
    const accounts = { ...accountsOptions(config, values.from, RESTORE_USAGE, true), keyLater: values['key-later'] };
    print(
      isOnlyAccounts(values.only, RESTORE_USAGE)
        ? await restoreOnlyAccounts(accounts)
        : await restoreStore({ ...accounts, dataDir: embeddedFolder(config, restoredFolder) }),
    );
  },
};

/** Advice to keep the key of a backup's secrets, which is not in the backup. */
function keyAdvice({ id, kept_in: place }: NeededKey): string {
  const where = place === undefined ? 'which is not on this machine' : `which is in ${place}`;
  return `The backup does not hold the key ${id} that its secrets are sealed with, ${where}: keep a copy of the key apart from the backup.`;
}

function isOnlyAccounts(only: string | undefined, usage: string): boolean {
  if (only !== undefined && only !== 'accounts') throw new CommandMisuse(usage);
  return only === 'accounts';
}

/** A key is made where accounts of before they were sealed are put back, and never where they are only copied. */
function accountsOptions(
  config: Config,
  folder: string | undefined,
  usage: string,
  mayMakeKey: boolean,
): AccountsBackupOptions & { readonly log: Logger } {
  if (folder === undefined) throw new CommandMisuse(usage);
  return {
    accounts: accountsPlace(config, mayMakeKey),
    folder,
    clock: systemClock,
    log: createLogger(config.logLevel),
  };
}

/** A backup goes to where it is named for; the simulator's has to be asked for. */
function restoredFolder(config: Config): string {
  return config.sourceNamed ? storeFolder(config) : chainFolder(config);
}

function embeddedFolder(config: Config, folderOf: (config: Config) => string): string {
  if (config.clickhouseUrl !== undefined) {
    throw new CommandMisuse(
      'CLICKHOUSE_URL is set: use the BACKUP and RESTORE statements of that server, and --only accounts here',
    );
  }
  return folderOf(config);
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
