import { ApiError } from '../../contract/errors.ts';
import type { AccountsDatabase } from '../../store/accounts-db/accounts-db.ts';
import type { AccountChange } from '../account-change.ts';
import { recordAudit } from '../audit.ts';
import { type AccountChangesFeed, recordChange } from '../changes.ts';
import { refusalOf } from '../states.ts';
import type { AuthAnswers, SignedIn } from './auth-answers.ts';
import { type AccountOpener, openWalletAccount } from './new-account.ts';
import { createNonces } from './nonces.ts';
import type { OwnOrigin } from './own-origin.ts';
import { PAGE_SESSION_MS, type PageSessions } from './page-sessions.ts';
import type { SessionCookies } from './session-cookies.ts';
import { deleteSession, insertSession, SESSION_MAX_MS } from './session-store.ts';
import { composeSignIn, faultOfSignIn } from './sign-in-check.ts';
import { formatSignInMessage, parseSignInMessage } from './sign-in-message.ts';
import { isWalletSignature } from './wallet-signature.ts';

export interface AuthOptions extends Pick<AccountsDatabase, 'db'>, AccountOpener {
  readonly own: OwnOrigin;
  readonly cookies: SessionCookies;
  readonly pages: PageSessions;
  readonly changes: Pick<AccountChangesFeed, 'tell'>;
}

/** Signing in and out, over an open accounts database. */
export function createAuth(options: AuthOptions): AuthAnswers {
  const { db, clock, own, cookies, pages, changes } = options;
  const nonces = createNonces({ db, clock });

  return {
    async issueNonce(wallet, origin) {
      const place = own.choose(origin);
      if (place === undefined) throw new ApiError('shutting_down', { message: 'the service is not listening' });
      const issuedAt = clock.now();
      const issued = await nonces.issue(wallet);
      const message = formatSignInMessage(composeSignIn(issued, place, issuedAt));
      return { nonce: issued.nonce, message, expiresAt: issued.expiresAt };
    },
    async verify(signed, clientAddress) {
      const message = parseSignInMessage(signed.message);
      if (message === undefined) throw refuseMessage('is not one of Sign In With Solana');
      // Gone from here on, whatever comes of it: no nonce is tried twice.
      const issued = await nonces.take(message.nonce ?? '', signed.wallet);
      if (issued === undefined) throw new ApiError('invalid_nonce');
      const fault = faultOfSignIn(message, issued, own, clock.now());
      if (fault !== undefined) throw refuseMessage(fault);
      if (!isWalletSignature(signed.wallet, Buffer.from(signed.message, 'utf8'), signed.signature)) {
        throw new ApiError('invalid_signature');
      }
      const { signedIn, told } = await signIn(options, signed.wallet, clientAddress);
      for (const change of told) changes.tell(change);
      return signedIn;
    },
    async logOut(hash) {
      const accountId = await endSession(options, hash);
      if (accountId !== undefined) changes.tell({ kind: 'session', accountId });
      return { cookie: cookies.endSession() };
    },
    openPageSession(clientAddress) {
      const { token, expiresAt } = pages.open(clientAddress);
      return { cookie: cookies.page(token, PAGE_SESSION_MS), expiresAt };
    },
  };
}

/** One transaction: of an account that is new, all of it is there with the session, or nothing. */
function signIn(
  options: AuthOptions,
  wallet: string,
  clientAddress: string,
): Promise<{ readonly signedIn: SignedIn; readonly told: readonly AccountChange[] }> {
  const { db, clock, cookies } = options;
  return db.transaction().execute(async (transaction) => {
    const { id: accountId, state, firstKey } = await openWalletAccount(transaction, wallet, clientAddress, options);
    const refusal = refusalOf({ accountState: state });
    if (refusal !== undefined) throw new ApiError(refusal);
    const { token, ended } = await insertSession(transaction, accountId, clock.now());
    await recordAudit(transaction, { actor: 'session', action: 'session.open', accountId }, clock);
    const told: AccountChange[] = [];
    if (firstKey !== undefined) told.push({ kind: 'key', accountId, keyId: firstKey.id });
    if (ended) {
      await recordChange(transaction, { kind: 'session', accountId }, clock);
      told.push({ kind: 'session', accountId });
    }
    const cookie = cookies.session(token, SESSION_MAX_MS);
    const created = firstKey !== undefined;
    return { signedIn: { accountId, created, firstKey: firstKey?.text, cookie }, told };
  });
}

/** Ends a session. Returns its account; undefined when the session has ended already. */
function endSession({ db, clock }: AuthOptions, hash: Uint8Array): Promise<number | undefined> {
  return db.transaction().execute(async (transaction) => {
    const accountId = await deleteSession(transaction, hash);
    if (accountId === undefined) return undefined;
    await recordChange(transaction, { kind: 'session', accountId }, clock);
    await recordAudit(transaction, { actor: 'session', action: 'session.close', accountId }, clock);
    return accountId;
  });
}

function refuseMessage(fault: string): ApiError {
  return new ApiError('invalid_param', { param: 'message', message: `message ${fault}` });
}
