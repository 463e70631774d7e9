import { NO_PLAN } from '../../accounts/plans.ts';
import { isAddress } from '../../contract/address.ts';
import type { AccountState } from '../../contract/states.ts';
import { CommandMisuse } from '../command.ts';
import { type AdminAction, type AdminRooms, type AdminWords, first, getAccount, readOption } from './admin-action.ts';

const MAX_LISTED = 1_000;

export const ACCOUNT_ACTIONS: readonly AdminAction[] = [
  {
    form: 'account list [--after <id>] [--limit <n>]',
    help: 'accounts, oldest first',
    run: ({ accounts }, { options }) => accounts.list(readPage(options)),
  },
  {
    form: 'account show <account>',
    help: 'one account with its keys and pools of credits',
    run: async (rooms, words) => rooms.accounts.show(await getAccount(rooms, first(words))),
  },
  {
    form: 'account create --wallet <address> [--plan <plan>] [--not-ready]',
    help: 'make an account before its wallet signs in',
    run: createAccount,
  },
  {
    form: 'account suspend <account>',
    help: 'let nobody in for it until it is activated',
    run: (rooms, words) => setState(rooms, words, 'suspended'),
  },
  {
    form: 'account ban <account>',
    help: 'the same, and say that it is banned',
    run: (rooms, words) => setState(rooms, words, 'banned'),
  },
  {
    form: 'account activate <account>',
    help: 'let it in again',
    run: (rooms, words) => setState(rooms, words, 'active'),
  },
  {
    form: 'account plan <account> <plan>',
    help: 'put it on a plan',
    run: setPlan,
  },
];

async function createAccount({ accounts }: AdminRooms, { options }: AdminWords): Promise<unknown> {
  const { wallet, plan = NO_PLAN, 'not-ready': notReady = false } = options;
  if (wallet === undefined || !isAddress(wallet)) {
    throw new CommandMisuse('whose account? --wallet <address>, base58 of 32 bytes');
  }
  const state = notReady ? 'not_ready' : 'active';
  const made = await knownPlan(accounts.create({ wallet, plan, state }));
  if (made === undefined)
    throw new CommandMisuse('this wallet has an account; see: mintscope admin account show <wallet>');
  return made;
}

async function setState(rooms: AdminRooms, words: AdminWords, state: AccountState): Promise<unknown> {
  const { id, wallet } = await getAccount(rooms, first(words));
  if (wallet === null && state !== 'active') {
    throw new CommandMisuse('this is your own account, which runs the service: revoke its keys instead');
  }
  return rooms.accounts.setState(id, state);
}

async function setPlan(rooms: AdminRooms, words: AdminWords): Promise<unknown> {
  const { id, wallet } = await getAccount(rooms, first(words));
  if (wallet === null) throw new CommandMisuse('this is your own account, which stays on its plan');
  return knownPlan(rooms.accounts.setPlan(id, words.given[1] ?? ''));
}

/** A plan that does not exist is the typist's mistake. */
async function knownPlan<T>(changing: Promise<T>): Promise<T> {
  try {
    return await changing;
  } catch (error) {
    if (error instanceof RangeError) throw new CommandMisuse(error.message);
    throw error;
  }
}

export function readPage(options: AdminWords['options']): { readonly after: number; readonly limit: number } {
  return {
    after: readOption(options, 'after', { fallback: 0, minimum: 0 }),
    limit: readOption(options, 'limit', { fallback: MAX_LISTED, maximum: MAX_LISTED }),
  };
}
