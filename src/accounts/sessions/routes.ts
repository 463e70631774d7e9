import { ApiError } from '../../contract/errors.ts';
import type { Done } from '../../contract/scalars.ts';
import { type BoundRoute, bind, type ShapedAnswer } from '../../handlers/bind.ts';
import type { AuthAnswers } from './auth-answers.ts';
import {
  createNonce,
  logOut,
  type Nonce,
  openPageSession,
  type PageSession,
  type SignedIn,
  verifySignIn,
} from './contract.ts';

/** Signing in with a wallet, and out. */
export function authRoutes(auth: AuthAnswers): readonly BoundRoute[] {
  return [
    bind(createNonce, async (_params, _query, { body, headers }) => {
      const { nonce, message, expiresAt } = await auth.issueNonce(body.wallet, headers.origin);
      return answer<Nonce>({ nonce, message, expires_at: new Date(expiresAt).toISOString() });
    }),
    bind(verifySignIn, async (_params, _query, { body, clientAddress }) => {
      const { accountId, created, firstKey, cookie } = await auth.verify(body, clientAddress);
      const firstKeyField = firstKey === undefined ? {} : { first_key: firstKey };
      return answer<SignedIn>({ wallet: body.wallet, account_id: accountId, created, ...firstKeyField }, cookie);
    }),
    bind(logOut, async (_params, _query, { sessionPrincipal }) => {
      if (sessionPrincipal === undefined) throw new ApiError('session_required');
      const { cookie } = await auth.logOut(sessionPrincipal.hash);
      return answer<Done>({ ok: true }, cookie);
    }),
    bind(openPageSession, (_params, _query, { clientAddress }) => {
      const { cookie, expiresAt } = auth.openPageSession(clientAddress);
      return answer<PageSession>({ expires_at: new Date(expiresAt).toISOString() }, cookie);
    }),
  ];
}

function answer<T>(body: T, cookie?: string): ShapedAnswer {
  const bytes = Buffer.from(JSON.stringify(body));
  return cookie === undefined ? { body: bytes } : { body: bytes, cookie };
}
