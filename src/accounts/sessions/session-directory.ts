import type { SessionHolder } from '../caller.ts';
import type { SessionTokens } from './session-cookies.ts';

/** Finds who a session's cookie speaks for. At once when it is known. */
export interface SessionDirectory {
  /** What of ours the Cookie header of a request holds. */
  readTokens(cookieHeader: string): SessionTokens;
  /** Undefined when the token is not known or its session has ended. Rejects when sessions cannot be read. */
  find(token: string): SessionHolder | undefined | Promise<SessionHolder | undefined>;
  /** Whether the token is a page session's that was opened from this address. */
  isPageSession(token: string, clientAddress: string): boolean;
}
