import type { SessionPrincipal } from '../../handlers/caller.ts';
import type { StoredSession } from './session-store.ts';

/** A session that was looked up. */
export interface KnownSession {
  session: StoredSession;
  /** The look-up under way, of one that is not believed any more. */
  pending: Promise<SessionPrincipal | undefined> | undefined;
}

/** Known sessions by their token, found by their account too: a change concerns one account of many. */
export interface KnownSessions {
  get(token: string): KnownSession | undefined;
  set(token: string, session: StoredSession): void;
  forget(token: string): void;
  forgetAccount(accountId: number): void;
  forgetAll(): void;
}

/** Keeps so many; the one looked up longest ago goes first. */
export function createKnownSessions(capacity: number): KnownSessions {
  const sessions = new Map<string, KnownSession>();
  const tokens = new Map<number, Set<string>>();

  function forget(token: string): void {
    const known = sessions.get(token);
    if (known === undefined) return;
    sessions.delete(token);
    const { accountId } = known.session.principal;
    const ofAccount = tokens.get(accountId);
    ofAccount?.delete(token);
    if (ofAccount?.size === 0) tokens.delete(accountId);
  }

  return {
    get: (token) => sessions.get(token),
    set(token, session) {
      forget(token);
      if (sessions.size >= capacity) {
        const oldest = sessions.keys().next();
        if (!oldest.done) forget(oldest.value);
      }
      sessions.set(token, { session, pending: undefined });
      const { accountId } = session.principal;
      const ofAccount = tokens.get(accountId);
      if (ofAccount === undefined) tokens.set(accountId, new Set([token]));
      else ofAccount.add(token);
    },
    forget,
    forgetAccount(accountId) {
      for (const token of [...(tokens.get(accountId) ?? [])]) forget(token);
    },
    forgetAll() {
      sessions.clear();
      tokens.clear();
    },
  };
}
