import type { AccountRow } from '../../accounts/account-rows.ts';
import type { AccountKeys } from '../../accounts/keys/account-keys.ts';
import type { AccountAdmin } from '../../accounts/operator/account-admin.ts';
import type { KeyAdmin } from '../../accounts/operator/key-admin.ts';
import type { SecretsAdmin } from '../../accounts/operator/secrets-admin.ts';
import { isAddress } from '../../contract/address.ts';
import { CommandMisuse } from '../command.ts';

/** One thing that `mintscope admin` does. */
export interface AdminAction {
  /** As it is typed behind `mintscope admin`: words, `<what>` for what is to be filled in, options in brackets. */
  readonly form: string;
  readonly help: string;
  /** Makes the key of secrets in the data folder when there is none. */
  readonly makesKey?: boolean;
  /** Does the action. Resolves with the value that it prints, as JSON. */
  run(rooms: AdminRooms, words: AdminWords): Promise<unknown>;
}

/** Rooms of accounts that actions work with. */
export interface AdminRooms {
  readonly accounts: AccountAdmin;
  readonly keys: KeyAdmin;
  readonly accountKeys: AccountKeys;
  readonly secrets: SecretsAdmin;
  /** The operator's own account, made when it is not there. */
  operator(): Promise<number>;
}

/** Words typed for the `<…>` of a form, in their order, and its options. */
export interface AdminWords {
  readonly given: readonly string[];
  readonly options: AdminOptions;
}

/** Every option there is. Which of them an action takes, its form says. */
export const ADMIN_OPTIONS = {
  name: { type: 'string' },
  account: { type: 'string' },
  wallet: { type: 'string' },
  plan: { type: 'string' },
  budget: { type: 'string' },
  rps: { type: 'string' },
  burst: { type: 'string' },
  reference: { type: 'string' },
  add: { type: 'string' },
  take: { type: 'string' },
  after: { type: 'string' },
  before: { type: 'string' },
  limit: { type: 'string' },
  'not-ready': { type: 'boolean' },
} as const;

export type AdminOptions = {
  readonly [K in keyof typeof ADMIN_OPTIONS]?: (typeof ADMIN_OPTIONS)[K]['type'] extends 'boolean' ? boolean : string;
};

/** The first of what was given. The dispatcher has counted. */
export function first({ given }: AdminWords): string {
  return given[0] ?? '';
}

/** An account by its id or wallet. @throws {CommandMisuse} when there is none */
export async function getAccount({ accounts }: AdminRooms, name: string): Promise<AccountRow> {
  const found = await accounts.find(name);
  if (found !== undefined) return found;
  const isName = /^\d+$/.test(name) || name === 'operator' || isAddress(name);
  throw new CommandMisuse(
    isName
      ? `there is no account ${name}`
      : 'an account is named by its id or its wallet; see: mintscope admin account list',
  );
}

/** A whole number. @throws {CommandMisuse} */
export function readWhole(what: string, text: string, minimum = 1, maximum = MAX_CREDITS): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= minimum && value <= maximum) return value;
  throw new CommandMisuse(`${what} must be a whole number from ${minimum} to ${maximum}`);
}

/** The same of an option, or what holds when it was not typed. */
export function readOption<T>(
  options: AdminOptions,
  name: Exclude<keyof AdminOptions, 'not-ready'>,
  { fallback, minimum, maximum }: { readonly fallback: T; readonly minimum?: number; readonly maximum?: number },
): number | T {
  const text = options[name];
  return text === undefined ? fallback : readWhole(`--${name}`, text, minimum, maximum);
}

/** As many as a balance may be moved by at once. */
export const MAX_CREDITS = 1_000_000_000_000;
