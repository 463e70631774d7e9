import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import type { AccountsDatabase } from '../../store/accounts-db/accounts-db.ts';
import type { SessionHolder } from '../caller.ts';
import type { AccountChange, AccountChanges, EverythingChanged } from '../changes.ts';
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
  /** What of ours the Cookie header of a request holds. */
  readTokens(cookieHeader: string): SessionTokens;
  /** Undefined when the token is not known or its session has ended. Rejects when sessions cannot be read. */
  find(token: string): SessionHolder | undefined | Promise<SessionHolder | undefined>;
  /** Whether the token is a page session's that was opened from this address. */
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

/** Sessions remembered; the one found longest ago goes first. */
const MAX_CACHED_SESSIONS = 10_000;
/** While changes were not read for longer than this, nothing remembered is believed. */
const MAX_CHANGES_AGE_MS = 750;
/** Use of a session is written down when its end has moved by so much. */
const END_STEP_MS = 300_000;

interface Entry {
  session: StoredSession | undefined;
  /** The read that asks for it; undefined once it is known. */
  pending: Promise<SessionHolder | undefined> | undefined;
}

/** A directory of stored sessions that forgets at once what a change concerns. */
export function createSessionDirectory(options: SessionDirectoryOptions): OpenSessionDirectory {
  const { db, changes, cookies, pages, clock, capacity = MAX_CACHED_SESSIONS } = options;
  const entries = new Map<string, Entry>();
  const ends = createEndWriter(options);
  const stopListening = changes.listen((change) => forget(entries, change));

  function read(token: string): Promise<SessionHolder | undefined> {
    const entry: Entry = { session: undefined, pending: undefined };
    remember(entries, token, entry, capacity);
    const drop = () => {
      if (entries.get(token) === entry) entries.delete(token);
    };
    entry.pending = findSession(db, hashSessionToken(token), clock.now()).then(
      (session) => {
        entry.pending = undefined;
        // An unknown token is anybody's guess: it is not worth a place.
        if (session === undefined) drop();
        else entry.session = ends.used(session);
        return session?.holder;
      },
      (error: unknown) => {
        drop();
        throw error;
      },
    );
    return entry.pending;
  }

  return {
    readTokens: (header) => cookies.read(header),
    isPageSession: (token, address) => pages.isOpen(token, address),
    find(token) {
      const entry = entries.get(token);
      if (entry?.pending !== undefined) return entry.pending;
      const session = entry?.session;
      const isSure = changes.ageMs < MAX_CHANGES_AGE_MS;
      if (entry === undefined || session === undefined || !isSure || session.expiresAt <= clock.now()) {
        return isSessionToken(token) ? read(token) : undefined;
      }
      entry.session = ends.used(session);
      return session.holder;
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
      const write = moveSessionEnd(db, session.holder.hash, expiresAt)
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

/** Forgets what a change concerns, and every read under way, whose answer may be older than the change. */
function forget(entries: Map<string, Entry>, change: AccountChange | EverythingChanged): void {
  if (change.kind === 'everything') {
    entries.clear();
    return;
  }
  // A plan is changed as credits are.
  if (change.kind === 'key' || change.kind === 'stream') return;
  for (const [token, { session, pending }] of entries) {
    if (pending !== undefined || session?.holder.accountId === change.accountId) entries.delete(token);
  }
}

function remember(entries: Map<string, Entry>, token: string, entry: Entry, capacity: number): void {
  entries.delete(token);
  if (entries.size >= capacity) {
    const oldest = entries.keys().next();
    if (!oldest.done) entries.delete(oldest.value);
  }
  entries.set(token, entry);
}
