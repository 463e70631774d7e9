import type { SessionPrincipal } from '../../handlers/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import type { AccountsDatabase } from '../../store/accounts-db/accounts-db.ts';
import type { AccountChange, EverythingChanged } from '../account-change.ts';
import type { AccountChanges } from '../changes.ts';
import { type Asker, createLookUpQueue } from '../keys/look-up-queue.ts';
import { KnownByAccount } from '../known-by-account.ts';
import type { PageSessions } from './page-sessions.ts';
import type { SessionCookies, SessionTokens } from './session-cookies.ts';
import {
  extendedEnd,
  findSession,
  hashSessionToken,
  isSessionToken,
  moveSessionEnd,
  type StoredSession,
} from './session-store.ts';

/** Finds who a session's cookie speaks for. At once when it is known. */
export interface SessionDirectory {
  /** Reads our tokens from the Cookie header of a request. */
  readTokens(cookieHeader: string): SessionTokens;
  /**
   * Undefined when the token is not known or its session has ended. Rejects when sessions cannot be read.
   * A token that is not remembered waits behind those of the asker's own network alone.
   */
  find(token: string, asker?: Asker): SessionPrincipal | undefined | Promise<SessionPrincipal | undefined>;
  /** True when the token is a page session's that was opened from this address. */
  isPageSession(token: string, clientAddress: string): boolean;
}

export interface OpenSessionDirectory extends SessionDirectory {
  /** Resolves when nothing is written any more. */
  close(): Promise<void>;
}

export interface SessionDirectoryOptions extends Pick<AccountsDatabase, 'db'> {
  readonly changes: AccountChanges;
  readonly cookies: SessionCookies;
  readonly pages: PageSessions;
  readonly clock: Clock;
  readonly log: Logger;
  readonly capacity?: number;
}

/** A session that was looked up. */
interface KnownSession {
  session: StoredSession;
  /** The look-up under way, of one that is not believed any more. */
  pending: Promise<SessionPrincipal | undefined> | undefined;
}

/** Sessions remembered. */
const MAX_CACHED_SESSIONS = 10_000;
/** While changes were not read for longer than this, nothing remembered is believed. */
const MAX_CHANGES_AGE_MS = 750;
/** Use of a session is written down when its end has moved by so much. */
const END_STEP_MS = 300_000;
/** Anybody can make up tokens: with those of keys, their look-ups leave a quarter of the database's connections to everything else. */
const MAX_LOOK_UPS = 2;

/** A directory of stored sessions that forgets at once what a change concerns. */
export function createSessionDirectory(options: SessionDirectoryOptions): OpenSessionDirectory {
  const { db, changes, cookies, pages, clock, capacity = MAX_CACHED_SESSIONS } = options;
  const known = new KnownByAccount<KnownSession>(capacity, ({ session }) => session.principal.accountId);
  const strangers = createLookUpQueue<SessionPrincipal | undefined>({ running: MAX_LOOK_UPS });
  const ends = createEndWriter(options);
  /** Raised by every change: a read that began before one may have seen what was before it. */
  let generation = 0;
  const stopListening = changes.listen((change) => obey(change));

  function obey(change: AccountChange | EverythingChanged): void {
    // A plan is changed as credits are.
    if (change.kind === 'key' || change.kind === 'stream') return;
    generation += 1;
    if (change.kind === 'everything') known.forgetAll();
    else known.forgetAccount(change.accountId);
  }

  async function read(token: string): Promise<SessionPrincipal | undefined> {
    const before = generation;
    const session = await findSession(db, hashSessionToken(token), clock.now());
    if (session === undefined) {
      // An unknown token is anybody's guess: it is not worth a place.
      known.forget(token);
      return undefined;
    }
    const used = ends.used(session);
    if (generation === before) known.set(token, { session: used, pending: undefined });
    return used.principal;
  }

  /** Asks again for one that is known, past the queue: strangers must not keep out who has signed in. */
  function readAgain(token: string, entry: KnownSession): Promise<SessionPrincipal | undefined> {
    entry.pending ??= read(token).finally(() => {
      entry.pending = undefined;
    });
    return entry.pending;
  }

  return {
    readTokens: (header) => cookies.read(header),
    isPageSession: (token, address) => pages.isOpen(token, address),
    find(token, asker) {
      const entry = known.get(token);
      if (entry === undefined) {
        // With its generation, so that nobody who asks behind a change is told what was read before it.
        return isSessionToken(token) ? strangers.run(`${generation} ${token}`, () => read(token), asker) : undefined;
      }
      const isSure = changes.ageMs < MAX_CHANGES_AGE_MS && entry.session.expiresAt > clock.now();
      if (!isSure) return readAgain(token, entry);
      entry.session = ends.used(entry.session);
      return entry.session.principal;
    },
    close() {
      stopListening();
      return ends.settled();
    },
  };
}

/** Moves the ends of sessions that are used. */
interface EndWriter {
  /** The session as it is after this use. Written behind, now and then. */
  used(session: StoredSession): StoredSession;
  /** Resolves when nothing is being written any more. */
  settled(): Promise<void>;
}

function createEndWriter({ db, clock, log }: Pick<SessionDirectoryOptions, 'db' | 'clock' | 'log'>): EndWriter {
  const writes = new Set<Promise<void>>();
  return {
    used(session) {
      const expiresAt = extendedEnd(session, clock.now());
      if (expiresAt - session.expiresAt < END_STEP_MS) return session;
      const write = moveSessionEnd(db, session.principal.hash, expiresAt)
        .catch((error: unknown) => log.warn({ err: String(error) }, 'the use of a session could not be written down'))
        .finally(() => writes.delete(write));
      writes.add(write);
      return { ...session, expiresAt };
    },
    async settled() {
      await Promise.all(writes);
    },
  };
}
