import type { AuthAnswers } from '../../../src/accounts/sessions/auth-answers.ts';
import { newcomerExample, nonceExample, pageSessionExample } from '../../../src/accounts/sessions/contract.ts';
import { createSessionCookies } from '../../../src/accounts/sessions/session-cookies.ts';
import { PAGE_TOKEN, SESSION_TOKEN } from './sessions.ts';

const LIFE_MS = 60_000;

/** Everybody who asks is signed in for the first time. */
export function authDouble(): AuthAnswers {
  const cookies = createSessionCookies({ isHttps: true });
  const { nonce, message, expires_at: expiresAt } = nonceExample;
  return {
    issueNonce: async () => ({ nonce, message, expiresAt: Date.parse(expiresAt) }),
    verify: async () => ({
      accountId: newcomerExample.account_id,
      created: true,
      firstKey: newcomerExample.first_key,
      cookie: cookies.session(SESSION_TOKEN, LIFE_MS),
    }),
    logOut: async () => ({ cookie: cookies.endSession() }),
    openPageSession: () => ({
      cookie: cookies.page(PAGE_TOKEN, LIFE_MS),
      expiresAt: Date.parse(pageSessionExample.expires_at),
    }),
  };
}
