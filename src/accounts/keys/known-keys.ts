import type { KeyPrincipal } from '../../handlers/caller.ts';
import { KnownByAccount } from '../known-by-account.ts';

/** A key as it was found. */
export type FoundKey = Pick<KnownKey, 'principal' | 'checkedAt' | 'sure' | 'usedAt'>;

/**
 * A key that was looked up. Times are monotonic milliseconds. A class, so that all have one shape: each is read for every
 * request, and where they have several the engine searches each for what it reads.
 */
export class KnownKey {
  readonly principal: KeyPrincipal;
  /** Start of the look-up that found the key. */
  checkedAt: number;
  /** False when something changed while it was looked up, or may have since. */
  sure: boolean;
  usedAt: number;
  /** End of the time for which the key goes on although keys could not be read. */
  heldUntil = Number.NEGATIVE_INFINITY;
  /** The look-up under way. */
  pending: Promise<KeyPrincipal | undefined> | undefined = undefined;
  /** True when that look-up takes longer than requests wait for it. */
  late = false;

  constructor({ principal, checkedAt, sure, usedAt }: FoundKey) {
    this.principal = principal;
    this.checkedAt = checkedAt;
    this.sure = sure;
    this.usedAt = usedAt;
  }
}

/** Known keys by their digest, found by their account too. */
export interface KnownKeys {
  get(digest: string): KnownKey | undefined;
  set(digest: string, found: FoundKey): KnownKey;
  forget(digest: string): void;
  /** Forgets a key in all its texts, or all keys of an account. */
  drop(accountId: number, keyId: number | undefined): void;
  /** Every key has to be looked up again, and goes on while that fails. */
  doubtAll(): void;
}

/** Keys remembered, some 0.5 KB each. */
const MAX_KNOWN = 50_000;

export function createKnownKeys(): KnownKeys {
  const keys = new KnownByAccount<KnownKey>(MAX_KNOWN, ({ principal }) => principal.accountId);
  return {
    get: (digest) => keys.get(digest),
    set(digest, found) {
      const { usedAt = Number.NEGATIVE_INFINITY } = keys.get(digest) ?? {};
      const key = new KnownKey({ ...found, usedAt: Math.max(usedAt, found.usedAt) });
      keys.set(digest, key);
      return key;
    },
    forget: (digest) => keys.forget(digest),
    drop: (accountId, keyId) =>
      keys.forgetAccount(accountId, ({ principal }) => keyId === undefined || principal.id === keyId),
    doubtAll() {
      for (const key of keys.values()) {
        key.sure = false;
        // Not trusted for the rest of its second either.
        key.checkedAt -= DOUBT_MS;
        key.heldUntil = Number.NEGATIVE_INFINITY;
      }
    },
  };
}

const DOUBT_MS = 1_000;
