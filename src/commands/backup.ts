import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';
import { systemClock } from '../kernel/clock.ts';
import { createLogger } from '../kernel/log.ts';
import { type BackupOptions, backupStore, restoreStore } from '../store/store-backup.ts';
import { type Command, CommandMisuse, readWords } from './command.ts';

const BACKUP_USAGE = `usage: mintscope backup --to <folder>

Copies the embedded store and the accounts into a folder, which must be empty or not there. Prints one line of JSON when it is whole.
The service must not run on the same data folder; started again, it fills what it missed meanwhile.
A ClickHouse of your own (CLICKHOUSE_URL) has a BACKUP statement of its own.
`;

const RESTORE_USAGE = `usage: mintscope restore --from <folder>

Puts a backup into the data folder, which must have neither a store nor accounts. Prove it afterwards with: mintscope verify
`;

export const backup: Command = {
  usage: BACKUP_USAGE,
  async run(config, words) {
    const { values } = readWords(words, { to: { type: 'string' } });
    print(await backupStore(optionsOf(config, values.to, BACKUP_USAGE)));
  },
};

export const restore: Command = {
  usage: RESTORE_USAGE,
  async run(config, words) {
    const { values } = readWords(words, { from: { type: 'string' } });
    print(await restoreStore(optionsOf(config, values.from, RESTORE_USAGE)));
  },
};

function optionsOf(config: Config, folder: string | undefined, usage: string): BackupOptions {
  if (folder === undefined) throw new CommandMisuse(usage);
  if (config.clickhouseUrl !== undefined) {
    throw new CommandMisuse('CLICKHOUSE_URL is set: use the BACKUP and RESTORE statements of that server');
  }
  const { dataDir, databaseUrl } = config;
  const accountsFile = databaseUrl === undefined ? join(dataDir, 'accounts.db') : fileURLToPath(databaseUrl);
  return { dataDir, accountsFile, folder, log: createLogger(config.logLevel), clock: systemClock };
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
