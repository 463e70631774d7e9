import { parseCookie, stringifySetCookie } from 'cookie';

/** Our tokens among a request's cookies. */
export interface SessionTokens {
  /** Of somebody who signed in. */
  readonly session: string | undefined;
  /** Of a page of the web application. */
  readonly page: string | undefined;
}

/** The cookies of sessions: how they are written and read. */
export interface SessionCookies {
  read(header: string): SessionTokens;
  /** Values of Set-Cookie. */
  session(token: string, maxAgeMs: number): string;
  page(token: string, maxAgeMs: number): string;
  /** Takes the session from the browser. */
  endSession(): string;
}

const SESSION = 'mintscope_session';
const PAGE = 'mintscope_page';
/** Browsers take such a cookie from https alone, and from no sibling of our domain. */
const HOST_PREFIX = '__Host-';

/**
 * Scripts cannot read the cookies, other sites' pages do not send them along, and
 * they travel by https only; browsers treat this machine's own names as such.
 */
export function createSessionCookies({ isHttps }: { readonly isHttps: boolean }): SessionCookies {
  const prefix = isHttps ? HOST_PREFIX : '';
  const names = { session: prefix + SESSION, page: prefix + PAGE };

  function write(name: string, value: string, maxAgeMs: number): string {
    const maxAge = Math.floor(maxAgeMs / 1000);
    return stringifySetCookie({ name, value, maxAge, httpOnly: true, sameSite: 'lax', secure: true, path: '/' });
  }

  return {
    read(header) {
      const cookies = parseCookie(header);
      return { session: cookies[names.session], page: cookies[names.page] };
    },
    session: (token, maxAgeMs) => write(names.session, token, maxAgeMs),
    page: (token, maxAgeMs) => write(names.page, token, maxAgeMs),
    endSession: () => write(names.session, '', 0),
  };
}
