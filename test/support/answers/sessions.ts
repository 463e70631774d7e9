import { createSessionCookies } from '../../../src/accounts/sessions/session-cookies.ts';
import type { SessionDirectory } from '../../../src/accounts/sessions/session-directory.ts';
import type { SessionPrincipal } from '../../../src/handlers/caller.ts';

export const SESSION_TOKEN = 'a-session-of-the-tests';
export const PAGE_TOKEN = 'a-page-of-the-tests';

/** The session of the tests. */
export const TEST_SESSION: SessionPrincipal = {
  hash: Buffer.alloc(32, 1),
  accountId: 2,
  wallet: 'So11111111111111111111111111111111111111112',
  accountState: 'active',
  plan: 'trial',
};

const cookies = createSessionCookies({ isHttps: true });

/** Cookie headers of a browser that signed in, and of a page whose visitor did not. */
export const SESSION_COOKIES = cookiesOf(cookies.session(SESSION_TOKEN, 60_000));
export const PAGE_COOKIES = cookiesOf(cookies.page(PAGE_TOKEN, 60_000));

/** One session and one page session are known; the page's whatever its address. */
export function sessionsDouble(overrides: Partial<SessionDirectory> = {}): SessionDirectory {
  return {
    readTokens: (header) => cookies.read(header),
    find: (token) => (token === SESSION_TOKEN ? TEST_SESSION : undefined),
    isPageSession: (token) => token === PAGE_TOKEN,
    ...overrides,
  };
}

/** The Cookie header that a browser sends back for a Set-Cookie. */
function cookiesOf(setCookie: string): string {
  return setCookie.slice(0, setCookie.indexOf(';'));
}
