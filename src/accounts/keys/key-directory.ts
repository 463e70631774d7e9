import { timingSafeEqual } from 'node:crypto';
import type { KeyPrincipal } from '../../handlers/caller.ts';
import { createBoundedMap } from '../../kernel/bounded-map.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { AccountChange, EverythingChanged } from '../account-change.ts';
import type { AccountChanges } from '../changes.ts';
import { isApiKey } from './api-key.ts';
import { createKeyDigests, digestOf } from './key-digests.ts';
import { createKnownKeys, type KnownKey } from './known-keys.ts';
import { type Asker, createLookUpQueue } from './look-up-queue.ts';

/** Finds the principal of a key. At once when it is known, so that a request in full flow waits for nothing. */
export interface KeyDirectory {
  /**
   * Finds the principal of a key, in whatever state the key and its account are; undefined when the key is not known.
   * Rejects when keys cannot be read. A key that is not remembered waits behind those of the asker's own network alone.
   * An asker's `socket` is the connection that brought the key.
   */
  find(keyText: string, asker?: KeyAsker): KeyPrincipal | undefined | Promise<KeyPrincipal | undefined>;
}

export interface KeyAsker extends Asker {
  readonly socket?: object | undefined;
}

/** A key as it is stored. */
export interface StoredKey {
  readonly principal: KeyPrincipal;
  /** SHA-256 of the key, 32 bytes. */
  readonly hash: Uint8Array;
  /** Unix milliseconds. */
  readonly lastUsedAt: number | undefined;
}

export interface KeyDirectoryOptions {
  readonly clock: Clock;
  /** Reads the stored key with this hash. */
  readonly lookUp: (hash: Buffer) => Promise<StoredKey | undefined>;
  readonly changes: AccountChanges;
  /** Told of a key in use, at most once a minute. */
  readonly used: (keyId: number) => void;
  /** A key of the operator's choice for local work: of any shape, and not stored. */
  readonly development: { readonly key: string; readonly principal: KeyPrincipal } | undefined;
}

/**
 * Remembered keys are trusted while changes were read within this many milliseconds; a key that is taken away stops
 * working within them.
 */
const FRESH_MS = 1_000;
/** Milliseconds after which each key is looked up again, even while changes are read. */
const TRUSTED_MS = 300_000;
/** Milliseconds that a known key still works while keys cannot be read. */
const STALE_MS = 60_000;
/** A look-up that takes longer does not hold up a request with a known key: keys cannot be read. */
const LOOK_UP_WAIT_MS = 500;
const USE_TOLD_MS = 60_000;
/** Milliseconds that an unknown key is remembered as unknown. */
const UNKNOWN_MS = 1_000;
/** Unknown keys remembered, apart from the known ones, which they never displace. */
const MAX_UNKNOWN = 10_000;
/** Longer than every key, those of the operator's choice included. */
const MAX_KEY_CHARS = 128;

/**
 * A directory over stored keys. It remembers what it has looked up until a change
 * is told, and by SHA-256 only, so that no copy of the process's memory holds
 * everybody's keys.
 */
export function createKeyDirectory(options: KeyDirectoryOptions): KeyDirectory {
  const { clock, changes, used, development } = options;
  const known = createKnownKeys();
  const digests = createKeyDigests();
  /** Digest to the monotonic time at which it is forgotten. */
  const unknown = createBoundedMap<string, number>(MAX_UNKNOWN);
  const strangers = createLookUpQueue<KeyPrincipal | undefined>();
  const developmentHash = development === undefined ? undefined : Buffer.from(digestOf(development.key), 'binary');
  /** Raised by every change: a look-up that began before one may have read what was before it. */
  let generation = 0;
  /** End of the time in which changes are surely read often enough: the time of their last read only grows. */
  let changesFreshUntil = Number.NEGATIVE_INFINITY;

  changes.listen((change) => obey(change));

  function obey(change: AccountChange | EverythingChanged): void {
    if (change.kind === 'account') known.drop(change.accountId, undefined);
    else if (change.kind === 'key') known.drop(change.accountId, change.keyId);
    else if (change.kind === 'everything') known.doubtAll();
    else return;
    generation += 1;
  }

  /** Reads a key and remembers what it found. */
  async function read(digest: string): Promise<KeyPrincipal | undefined> {
    const hash = Buffer.from(digest, 'binary');
    const before = generation;
    const startedAt = clock.elapsed();
    const stored = await options.lookUp(hash);
    // The index found the row by its hash; the comparison that decides takes the same time for every key.
    if (stored === undefined || !timingSafeEqual(stored.hash, hash)) {
      known.forget(digest);
      unknown.set(digest, startedAt + UNKNOWN_MS);
      return undefined;
    }
    const { principal, lastUsedAt } = stored;
    const sinceUse = lastUsedAt === undefined ? Number.POSITIVE_INFINITY : clock.now() - lastUsedAt;
    const key = known.set(digest, {
      principal,
      checkedAt: startedAt,
      sure: generation === before,
      usedAt: startedAt - sinceUse,
    });
    tellUse(key, startedAt);
    return principal;
  }

  /** Looks a known key up again; while that fails or takes long it goes on as it was known. */
  function refresh(digest: string, key: KnownKey): KeyPrincipal | Promise<KeyPrincipal | undefined> {
    const isKept = clock.elapsed() - key.checkedAt < STALE_MS;
    if (isKept && key.late) return key.principal;
    key.pending ??= read(digest).finally(() => {
      key.pending = undefined;
      key.late = false;
    });
    return isKept ? answeredInTime(key, key.pending) : key.pending;
  }

  function answeredInTime(
    key: KnownKey,
    reading: Promise<KeyPrincipal | undefined>,
  ): Promise<KeyPrincipal | undefined> {
    const answered = new AbortController();
    const goOn = (): KeyPrincipal => {
      key.heldUntil = clock.elapsed() + FRESH_MS;
      return key.principal;
    };
    const answer = reading.catch(goOn).finally(() => answered.abort());
    const late = clock.sleep(LOOK_UP_WAIT_MS, answered.signal).then(() => {
      if (answered.signal.aborted) return answer;
      key.late = true;
      return goOn();
    });
    return Promise.race([answer, late]);
  }

  function isTrusted({ checkedAt, sure, heldUntil }: KnownKey, now: number): boolean {
    if (now - checkedAt < FRESH_MS || now < heldUntil) return true;
    return sure && now - checkedAt < TRUSTED_MS && areChangesFresh(now);
  }

  /** Asks how old they are when what they said before does not tell. */
  function areChangesFresh(now: number): boolean {
    if (now >= changesFreshUntil) changesFreshUntil = now + FRESH_MS - changes.ageMs;
    return now < changesFreshUntil;
  }

  function tellUse(key: KnownKey, now: number): void {
    if (now - key.usedAt < USE_TOLD_MS || key.principal.state !== 'active') return;
    key.usedAt = now;
    used(key.principal.id);
  }

  return {
    find(text, asker) {
      if (text.length > MAX_KEY_CHARS) return undefined;
      const digest = digests.of(text, asker?.socket);
      const now = clock.elapsed();
      const key = known.get(digest);
      if (key !== undefined) {
        tellUse(key, now);
        return isTrusted(key, now) ? key.principal : refresh(digest, key);
      }
      const isDevelopment =
        developmentHash !== undefined && timingSafeEqual(Buffer.from(digest, 'binary'), developmentHash);
      if (isDevelopment) return development?.principal;
      if (!isApiKey(text)) return undefined;
      if ((unknown.peek(digest) ?? 0) > now) return undefined;
      return strangers.run(digest, () => read(digest), asker);
    },
  };
}
