import { createAccounts } from '../../src/accounts/accounts.ts';
import { createOwnOrigin } from '../../src/accounts/sessions/own-origin.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import type { AccountsDatabase } from '../../src/store/accounts-db/accounts-db.ts';
import { signText, type Wallet } from './wallet.ts';

/** Steps that are measured, done by the service or by bare statements. */
export interface AccountWork {
  /** The message, its signature's check, and of a new wallet everything that its account is made of. Returns what ids there are. */
  signIn(wallet: Wallet): Promise<{ readonly accountId: number; readonly firstKey: string }>;
  createKey(accountId: number): Promise<string>;
  /** A key that this process has not seen yet. */
  findKey(key: string): Promise<void>;
  balance(accountId: number): Promise<void>;
  close(): Promise<void>;
}

const PUBLIC_URL = 'https://mintscope.example';

/** The rooms of accounts as `serve` opens them, without HTTP. */
export async function openService(database: AccountsDatabase): Promise<AccountWork> {
  const ownOrigin = createOwnOrigin({ publicUrl: PUBLIC_URL, host: '127.0.0.1', port: () => 0 });
  const settings = { devKey: undefined, enforce: true, plansFile: undefined };
  const surroundings = { accounts: database, ownOrigin, clock: systemClock, log: silentLogger };
  const accounts = await createAccounts(settings, surroundings);
  return {
    async signIn(wallet) {
      const { message } = await accounts.auth.issueNonce(wallet.address, PUBLIC_URL);
      const signed = { wallet: wallet.address, message, signature: signText(wallet, message) };
      const { accountId, firstKey } = await accounts.auth.verify(signed, wallet.clientAddress);
      if (firstKey === undefined) throw new Error('the account was there already');
      return { accountId, firstKey };
    },
    async createKey(accountId) {
      return (await accounts.account.keys.create(accountId, { name: 'bench' }, 'session')).key;
    },
    async findKey(key) {
      if ((await accounts.keys.find(key)) === undefined) throw new Error('a key that was made is not found');
    },
    async balance(accountId) {
      const principal = { accountId, wallet: undefined, accountState: 'active', plan: 'trial' } as const;
      await accounts.credits.balance(principal, undefined);
    },
    close: () => accounts.close(),
  };
}
