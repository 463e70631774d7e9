import { join } from 'node:path';
import { createApiKey, hashApiKey } from '../accounts/keys/api-key.ts';
import { createKeyStore, type KeyStore } from '../accounts/keys/key-store.ts';
import type { Config } from '../config.ts';
import { systemClock } from '../kernel/clock.ts';
import { openAccountsDatabase } from '../store/accounts-db/accounts-db.ts';
import { type Command, CommandMisuse, readWords } from './command.ts';

const usage = `usage: mintscope admin key create --name <name>   make a key; it is shown once
       mintscope admin key list                   every key, without its secret
       mintscope admin key revoke <id>            take a key away; it stops working within a second

Works while the service runs.
`;

export const admin: Command = { usage, run };

async function run(config: Config, words: readonly string[]): Promise<void> {
  const { values, positionals } = readWords(words, { name: { type: 'string' } }, { allowPositionals: true });
  const [noun, verb, id, ...rest] = positionals;
  if (noun !== 'key' || rest.length > 0) throw new CommandMisuse(usage);
  const accounts = await openAccountsDatabase({
    url: config.databaseUrl,
    path: join(config.dataDir, 'accounts.db'),
    clock: systemClock,
  });
  try {
    print(await runKeyCommand(createKeyStore(accounts, systemClock), verb, { name: values.name, id }));
  } finally {
    await accounts.close();
  }
}

async function runKeyCommand(
  keys: KeyStore,
  verb: string | undefined,
  { name, id }: { readonly name: string | undefined; readonly id: string | undefined },
): Promise<unknown> {
  switch (verb) {
    case 'create': {
      if (name === undefined) throw new CommandMisuse('a key needs a name: --name <name>');
      const key = createApiKey();
      const row = await keys.create({ name, hash: hashApiKey(key), text: key });
      return { ...row, key };
    }
    case 'list':
      return keys.list();
    case 'revoke': {
      if (id === undefined || !/^\d+$/.test(id)) throw new CommandMisuse('which key? see: mintscope admin key list');
      if (!(await keys.revoke(Number(id)))) throw new CommandMisuse(`there is no active key ${id}`);
      return { ok: true };
    }
    default:
      throw new CommandMisuse(usage);
  }
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
}
