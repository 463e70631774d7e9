import type { KeyAdmin } from '../../accounts/operator/key-admin.ts';
import { NAME_MAX, nameField } from '../../contract/fields.ts';
import { CommandMisuse } from '../command.ts';
import { readPage } from './account-actions.ts';
import {
  type AdminAction,
  type AdminOptions,
  type AdminRooms,
  type AdminWords,
  first,
  getAccount,
  readOption,
} from './admin-action.ts';

export const KEY_ACTIONS: readonly AdminAction[] = [
  {
    form: 'key create --name <name> [--account <account>] [--budget <credits>] [--rps <n> --burst <n>]',
    help: 'make a key, your own without --account; it is shown once',
    run: createKey,
  },
  {
    form: 'key list [--account <account>] [--after <id>] [--limit <n>]',
    help: 'keys of everybody or of one account, without their secrets',
    run: listKeys,
  },
  {
    form: 'key suspend <key id>',
    help: 'let it in no more until you activate it',
    run: (rooms, words) =>
      withKey(rooms, words, (id, key) => rooms.accountKeys.change(id, key, { active: false }, 'operator')),
  },
  {
    form: 'key activate <key id>',
    help: 'let it in again',
    run: (rooms, words) =>
      withKey(rooms, words, (id, key) => rooms.accountKeys.change(id, key, { active: true }, 'operator')),
  },
  {
    form: 'key rotate <key id>',
    help: 'a new text for the same key, shown once; the old one is revoked',
    run: (rooms, words) => withKey(rooms, words, (id, key) => rooms.accountKeys.rotate(id, key, 'operator')),
  },
  {
    form: 'key revoke <key id>',
    help: 'take a key away for good',
    run: (rooms, words) =>
      withKey(rooms, words, async (id, key) =>
        (await rooms.accountKeys.revoke(id, key, 'operator')) ? { ok: true } : undefined,
      ),
  },
];

async function createKey(rooms: AdminRooms, { options }: AdminWords): Promise<unknown> {
  const name = readName(options.name);
  const accountId =
    options.account === undefined ? await rooms.operator() : (await getAccount(rooms, options.account)).id;
  const budget = readOption(options, 'budget', { fallback: undefined });
  return rooms.accountKeys.create(accountId, { name, budget, rate: readRate(options) }, 'operator');
}

/** As the API reads it. */
function readName(typed: string | undefined): string {
  try {
    return nameField('').read(typed, 'name');
  } catch (cause) {
    throw new CommandMisuse(
      `a key needs a name of 1 to ${NAME_MAX} characters, none of them for control: --name <name>`,
      { cause },
    );
  }
}

function readRate(options: AdminOptions) {
  const rps = readOption(options, 'rps', { fallback: undefined });
  const burst = readOption(options, 'burst', { fallback: undefined });
  if (rps === undefined && burst === undefined) return undefined;
  if (rps === undefined || burst === undefined) throw new CommandMisuse('--rps and --burst go together');
  return { rps, burst };
}

async function listKeys(rooms: AdminRooms, { options }: AdminWords): Promise<unknown> {
  const page = readPage(options);
  if (options.account === undefined) return rooms.keys.list(page);
  const ofAccount = await rooms.accountKeys.list((await getAccount(rooms, options.account)).id);
  return ofAccount.filter(({ id }) => id > page.after).slice(0, page.limit);
}

async function withKey(
  { keys }: { readonly keys: KeyAdmin },
  words: AdminWords,
  run: (accountId: number, keyId: number) => Promise<unknown>,
): Promise<unknown> {
  const text = first(words);
  if (!/^\d+$/.test(text)) throw new CommandMisuse('which key? see: mintscope admin key list');
  const keyId = Number(text);
  const accountId = Number.isSafeInteger(keyId) ? await keys.accountOf(keyId) : undefined;
  const done = accountId === undefined ? undefined : await run(accountId, keyId);
  if (done === undefined) throw new CommandMisuse(`there is no key ${text}, or it is revoked`);
  return done;
}
