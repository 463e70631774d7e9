import { CommandMisuse } from '../command.ts';
import {
  type AdminAction,
  type AdminRooms,
  type AdminWords,
  first,
  getAccount,
  readOption,
  readWhole,
} from './admin-action.ts';

const MAX_ENTRIES = 1_000;
const SHOWN_ENTRIES = 100;

export const CREDIT_ACTIONS: readonly AdminAction[] = [
  {
    form: 'credits show <account>',
    help: 'its pools, and the newest entries of its ledger',
    run: async (rooms, words) => rooms.accounts.credits((await getAccount(rooms, first(words))).id),
  },
  {
    form: 'credits grant <account> <credits> [--reference <text>]',
    help: 'give credits; with a reference they are given once',
    run: grant,
  },
  {
    form: 'credits correct <account> (--add <credits> | --take <credits>)',
    help: 'put a balance right, never below zero',
    run: correct,
  },
  {
    form: 'audit <account> [--before <id>] [--limit <n>]',
    help: 'who changed what of it, newest first',
    run: async (rooms, words) => {
      const { id } = await getAccount(rooms, first(words));
      return rooms.accounts.audit(id, {
        before: readOption(words.options, 'before', { fallback: undefined }),
        limit: readOption(words.options, 'limit', { fallback: SHOWN_ENTRIES, maximum: MAX_ENTRIES }),
      });
    },
  },
];

async function grant(rooms: AdminRooms, words: AdminWords): Promise<unknown> {
  const credits = readWhole('credits', words.given[1] ?? '');
  const { id } = await getAccount(rooms, first(words));
  const { reference } = words.options;
  if (reference !== undefined && !/^[\w.:-]{1,64}$/.test(reference)) {
    throw new CommandMisuse('--reference has 1 to 64 of letters, digits, . : _ and -');
  }
  const granted = await rooms.accounts.grant(id, credits, reference);
  return { granted, ...(await rooms.accounts.credits(id)) };
}

async function correct(rooms: AdminRooms, words: AdminWords): Promise<unknown> {
  const added = readOption(words.options, 'add', { fallback: undefined });
  const taken = readOption(words.options, 'take', { fallback: undefined });
  if ((added === undefined) === (taken === undefined)) {
    throw new CommandMisuse('by how much? --add <credits> or --take <credits>');
  }
  const { id } = await getAccount(rooms, first(words));
  const applied = await rooms.accounts.correct(id, added ?? -(taken ?? 0));
  return { applied, ...(await rooms.accounts.credits(id)) };
}
