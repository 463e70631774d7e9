import type { Transaction } from 'kysely';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import type { AccountsDatabase } from '../store/accounts-db/accounts-db.ts';
import type { AccountsSchema } from '../store/accounts-db/schema.ts';
import type { AccountChange, EverythingChanged } from './account-change.ts';
import { createChangeReader } from './change-reader.ts';

/** Tells of changes, whichever process made them. The same change may be told twice. */
export interface AccountChanges {
  /** Returns what stops it. */
  listen(heard: (change: AccountChange | EverythingChanged) => void): () => void;
  /**
   * Milliseconds since the last time changes of other processes were read; what is
   * cached is surely true no longer than that ago. Infinite before the first time.
   */
  readonly ageMs: number;
}

/** The changes of an open database. */
export interface AccountChangesFeed extends AccountChanges {
  /** Tells this process at once of a change that it has committed. Call it behind the transaction that recorded it, never inside. */
  tell(change: AccountChange): void;
  /** Resolves when nothing is read any more. */
  close(): Promise<void>;
}

/** Milliseconds between two reads of changes, which other processes make too. */
const POLL_MS = 250;

/** Writes a change down in the transaction that makes it, for the other processes. Then {@link AccountChangesFeed.tell} this one. */
export async function recordChange(
  transaction: Transaction<AccountsSchema>,
  change: AccountChange,
  clock: Pick<Clock, 'now'>,
): Promise<void> {
  await transaction
    .insertInto('changes')
    .values({
      at: clock.now(),
      kind: change.kind,
      account_id: change.accountId,
      key_id: change.kind === 'key' ? change.keyId : null,
      stream_id: change.kind === 'stream' ? change.streamId : null,
    })
    .execute();
}

/** Follows the changes of a database until it is closed. */
export function createAccountChanges(db: AccountsDatabase['db'], clock: Clock, log: Logger): AccountChangesFeed {
  const listeners = new Set<(change: AccountChange | EverythingChanged) => void>();
  const reader = createChangeReader(db, clock);
  const stopping = new AbortController();
  let readAt = Number.NEGATIVE_INFINITY;
  let failing = false;

  function tell(change: AccountChange | EverythingChanged): void {
    for (const heard of listeners) {
      try {
        heard(change);
      } catch (error) {
        log.error({ err: String(error), kind: change.kind }, 'a change of an account was not obeyed');
      }
    }
  }

  async function readOnce(): Promise<void> {
    // A read surely sees everything committed before it began, so its beginning is the moment that counts.
    const startedAt = clock.elapsed();
    try {
      for (const change of await reader.read()) tell(change);
      readAt = startedAt;
      if (failing) log.info({}, 'changes of accounts are read again');
      failing = false;
    } catch (error) {
      if (!failing) log.warn({ err: String(error) }, 'changes of accounts cannot be read');
      failing = true;
    }
  }

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      await readOnce();
      await clock.sleep(POLL_MS, stopping.signal);
    }
  }

  const following = follow();
  return {
    tell,
    get ageMs() {
      return clock.elapsed() - readAt;
    },
    listen(heard) {
      listeners.add(heard);
      return () => listeners.delete(heard);
    },
    async close() {
      stopping.abort();
      await following;
    },
  };
}
