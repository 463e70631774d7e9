import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../kernel/clock.ts';
import type { KeyHolder } from '../caller.ts';
import { hashApiKey, isApiKey } from './api-key.ts';

/** Finds the holder of a key. At once when it is known, so that a request in full flow waits for nothing. */
export interface KeyDirectory {
  /** Undefined when the key is not known. Rejects when keys cannot be read. */
  find(keyText: string): KeyHolder | undefined | Promise<KeyHolder | undefined>;
}

/** A key as it is stored. */
export interface StoredKey extends KeyHolder {
  /** SHA-256 of the key, 32 bytes. */
  readonly hash: Uint8Array;
}

export interface KeyDirectoryOptions {
  readonly clock: Clock;
  /** Reads the stored key with this hash. */
  readonly lookUp: (hash: Buffer) => Promise<StoredKey | undefined>;
  /** A key of the operator's choice for local work: of any shape, and not stored. */
  readonly developmentKey: string | undefined;
}

/** How long a look-up is trusted: a key that is taken away stops working within this. */
const FRESH_MS = 1000;
/** How long a known key still works while keys cannot be read. */
const STALE_MS = 60_000;
/** Keys remembered; the one found longest ago goes first. */
const MAX_CACHED_KEYS = 10_000;

export const DEVELOPMENT_HOLDER: KeyHolder = {
  id: 0,
  name: 'development',
  accountId: 0,
  wallet: undefined,
  accountState: 'active',
  plan: 'operator',
  state: 'active',
  rate: { rps: 1_000, burst: 2_000 },
  poolId: 0,
};

interface Entry {
  holder: KeyHolder | undefined;
  /** Monotonic milliseconds; -Infinity before the first look-up ended. */
  checkedAt: number;
  pending: Promise<KeyHolder | undefined> | undefined;
}

/** A directory over stored keys, which hashes and reads each key at most once a second. */
export function createKeyDirectory({ clock, lookUp, developmentKey }: KeyDirectoryOptions): KeyDirectory {
  const entries = new Map<string, Entry>();
  const developmentHash = developmentKey === undefined ? undefined : hashApiKey(developmentKey);

  async function read(text: string): Promise<KeyHolder | undefined> {
    const hash = hashApiKey(text);
    const stored = await lookUp(hash);
    // The index found the row by its hash; the comparison that decides takes the same time for every key.
    return stored !== undefined && timingSafeEqual(stored.hash, hash) ? stored : undefined;
  }

  function refresh(text: string, entry: Entry): Promise<KeyHolder | undefined> {
    entry.pending ??= read(text)
      .then(
        (holder) => {
          entry.holder = holder;
          entry.checkedAt = clock.elapsed();
          return holder;
        },
        (error: unknown) => {
          if (entry.holder !== undefined && clock.elapsed() - entry.checkedAt < STALE_MS) return entry.holder;
          throw error;
        },
      )
      .finally(() => {
        entry.pending = undefined;
      });
    return entry.pending;
  }

  return {
    find(text) {
      const known = entries.get(text);
      if (known !== undefined) {
        return clock.elapsed() - known.checkedAt < FRESH_MS ? known.holder : refresh(text, known);
      }
      if (!isApiKey(text)) {
        const isDevelopment = developmentHash !== undefined && timingSafeEqual(hashApiKey(text), developmentHash);
        return isDevelopment ? DEVELOPMENT_HOLDER : undefined;
      }
      const entry: Entry = { holder: undefined, checkedAt: Number.NEGATIVE_INFINITY, pending: undefined };
      remember(entries, text, entry);
      return refresh(text, entry);
    },
  };
}

function remember(entries: Map<string, Entry>, text: string, entry: Entry): void {
  if (entries.size >= MAX_CACHED_KEYS) {
    const oldest = entries.keys().next();
    if (!oldest.done) entries.delete(oldest.value);
  }
  entries.set(text, entry);
}
