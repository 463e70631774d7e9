import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import type { AccountsDatabase } from '../../store/accounts-db/accounts-db.ts';
import type { AccountChangesFeed } from '../changes.ts';
import type { Ledger } from '../credits/ledger.ts';
import { createAuth } from './auth.ts';
import type { AuthAnswers } from './auth-answers.ts';
import { sweepNonces } from './nonces.ts';
import type { OwnOrigin } from './own-origin.ts';
import { createPageSessions } from './page-sessions.ts';
import { createSessionCookies } from './session-cookies.ts';
import { createSessionDirectory, type SessionDirectory } from './session-directory.ts';
import { sweepSessions } from './session-store.ts';

/** Signing in, and who has. */
export interface SignIn {
  readonly auth: AuthAnswers;
  readonly sessions: SessionDirectory;
  /** Forgets nonces and sessions that have ended, some rows a step; true when there may be more. */
  sweep(): Promise<boolean>;
  /** Resolves when nothing is written any more. */
  close(): Promise<void>;
}

export interface SignInOptions {
  readonly accounts: AccountsDatabase;
  readonly ledger: Pick<Ledger, 'openGeneralPool' | 'grantTrial'>;
  readonly changes: AccountChangesFeed;
  readonly own: OwnOrigin;
  /** Of `readPageSecret`. */
  readonly pageSecret: Buffer;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Opens sign-in over an open accounts database. */
export function openSignIn({ accounts, ledger, changes, own, pageSecret, clock, log }: SignInOptions): SignIn {
  const { db, engine } = accounts;
  const cookies = createSessionCookies(own);
  const pages = createPageSessions(pageSecret, clock);
  const sessions = createSessionDirectory({ db, changes, cookies, pages, clock, log });
  return {
    auth: createAuth({ db, engine, ledger, changes, own, cookies, pages, clock }),
    sessions,
    async sweep() {
      const now = clock.now();
      await sweepNonces(accounts, now);
      return sweepSessions(db, now);
    },
    close: () => sessions.close(),
  };
}
