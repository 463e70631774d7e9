import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import type { AccountsDatabase } from '../../store/accounts-db/accounts-db.ts';

/** Writes down when keys were last used, behind the requests that use them. */
export interface KeyUse {
  used(keyId: number): void;
  /** Writes what is left. */
  close(): Promise<void>;
}

const FLUSH_MS = 2_000;
/** Precision of the time of use that is stored. */
const MINUTE_MS = 60_000;
/** Keys of one statement. */
const CHUNK = 500;
/** Keys that wait to be written while the database is away. */
const MAX_WAITING = 50_000;

export function createKeyUse(db: AccountsDatabase['db'], clock: Clock, log: Logger): KeyUse {
  /** Key to the Unix milliseconds of its use. */
  const waiting = new Map<number, number>();
  const stopping = new AbortController();
  let failing = false;

  /** Keys that were used in the same minute as the first that waits: they get one time. */
  function nextChunk(): readonly (readonly [id: number, at: number])[] {
    const minuteOf = (at: number) => Math.floor(at / MINUTE_MS);
    const minute = minuteOf(waiting.values().next().value ?? 0);
    const chunk: (readonly [id: number, at: number])[] = [];
    // No further than to its end: ten thousand wait when all keys are used at once.
    for (const entry of waiting) {
      if (minuteOf(entry[1]) === minute) chunk.push(entry);
      if (chunk.length === CHUNK) break;
    }
    return chunk;
  }

  async function flush(): Promise<void> {
    for (let chunk = nextChunk(); chunk.length > 0; chunk = nextChunk()) {
      await db
        .updateTable('api_keys')
        .set({ last_used_at: Math.max(...chunk.map(([, at]) => at)) })
        .where(
          'id',
          'in',
          chunk.map(([id]) => id),
        )
        .execute();
      for (const [id, at] of chunk) if (waiting.get(id) === at) waiting.delete(id);
    }
  }

  async function flushOrWarn(): Promise<void> {
    try {
      await flush();
      failing = false;
    } catch (error) {
      if (!failing) log.warn({ err: String(error) }, 'when keys were last used cannot be written; it is tried again');
      failing = true;
    }
  }

  async function writeBehind(): Promise<void> {
    while (!stopping.signal.aborted) {
      await clock.sleep(FLUSH_MS, stopping.signal);
      await flushOrWarn();
    }
  }

  const writing = writeBehind();
  return {
    used(keyId) {
      if (waiting.size < MAX_WAITING) waiting.set(keyId, clock.now());
    },
    async close() {
      stopping.abort();
      await writing;
      await flushOrWarn();
    },
  };
}
