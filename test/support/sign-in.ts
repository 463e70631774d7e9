import { createAccountChanges } from '../../src/accounts/changes.ts';
import { createLedger } from '../../src/accounts/credits/ledger.ts';
import { DEFAULT_PLANS } from '../../src/accounts/plans.ts';
import type { SignedIn } from '../../src/accounts/sessions/auth-answers.ts';
import { createOwnOrigin } from '../../src/accounts/sessions/own-origin.ts';
import { readPageSecret } from '../../src/accounts/sessions/page-sessions.ts';
import { openSignIn, type SignIn } from '../../src/accounts/sessions/sign-in.ts';
import { type Clock, systemClock } from '../../src/kernel/clock.ts';
import { type Logger, silentLogger } from '../../src/kernel/log.ts';
import type { AccountsDatabase } from '../../src/store/accounts-db/accounts-db.ts';
import { createWallet, type TestWallet } from './wallets.ts';

export const SIGN_IN_ORIGIN = 'https://mintscope.example';
export const SIGN_IN_ADDRESS = '203.0.113.9';

/** One process that people sign in to. */
export interface SignInProcess extends SignIn {
  /** Asks for a message and sends its signature. */
  enter(wallet: TestWallet, clientAddress?: string): Promise<SignedIn>;
  /** The token of a cookie that it set. */
  token(cookie: string): string;
}

/** Sign-in over an open database, as one process has it. */
export async function startSignIn(
  accounts: AccountsDatabase,
  { clock = systemClock, log = silentLogger }: { readonly clock?: Clock; readonly log?: Logger } = {},
): Promise<SignInProcess> {
  const own = createOwnOrigin({ publicUrl: SIGN_IN_ORIGIN, host: '127.0.0.1', port: () => undefined });
  const pageSecret = await readPageSecret(accounts);
  const changes = createAccountChanges(accounts.db, clock, log);
  const ledger = createLedger({ clock, plans: DEFAULT_PLANS });
  const process = openSignIn({ accounts, ledger, changes, own, pageSecret, clock, log });
  return {
    ...process,
    async enter(wallet, clientAddress = SIGN_IN_ADDRESS) {
      const { message } = await process.auth.issueNonce(wallet.address, undefined);
      const signed = { wallet: wallet.address, message, signature: wallet.sign(message) };
      return process.auth.verify(signed, clientAddress);
    },
    token: (cookie) => {
      const { session, page } = process.sessions.readTokens(cookie.slice(0, cookie.indexOf(';')));
      return session ?? page ?? '';
    },
    async close() {
      await process.close();
      await changes.close();
    },
  };
}

export function newWallets(count: number): readonly TestWallet[] {
  return Array.from({ length: count }, () => createWallet());
}
