import type { RateLimit } from '../handlers/caller.ts';
import type { Clock } from '../kernel/clock.ts';

/** A bucket's answer to one request. */
export interface RateTicket {
  readonly allowed: boolean;
  readonly rate: RateLimit;
  /** Whole requests that could follow at once. */
  readonly remaining: number;
  /** Milliseconds until the bucket is full again. */
  readonly fullInMs: number;
  /** Milliseconds until a request would be let in; 0 while one would. */
  readonly waitMs: number;
}

/**
 * Token buckets, one for each caller: it holds `burst` tokens and gets `rps` a
 * second; a request takes one or is refused and takes nothing, so that whoever
 * waits as long as it was told is let in. A process limits on its own.
 */
export interface RateLimiter<K extends string | number> {
  /** Takes a token, or refuses. */
  take(caller: K, rate: RateLimit): RateTicket;
  /** The same without taking: `allowed` says whether one could be taken. */
  peek(caller: K, rate: RateLimit): RateTicket;
  /** Buckets that are kept. */
  readonly size: number;
}

export interface RateLimiterOptions {
  readonly clock: Pick<Clock, 'elapsed'>;
  /** Buckets kept; callers beyond it share some until others have been still for a while. */
  readonly capacity?: number;
  /** Buckets that callers share while there is no room. */
  readonly sharedBuckets?: number;
}

const MAX_BUCKETS = 100_000;
/** Buckets that callers share while there is no room, picked by hash. */
const SHARED_BUCKETS = 1_024;
/** Buckets looked at for one that may go when a new one comes. */
const LOOKED_AT = 4;
/** Tokens by which sums of fractions may be off. */
const ROUNDING = 1e-6;

interface Bucket {
  /** Tokens below full, at the time below. */
  missing: number;
  /** Monotonic milliseconds. */
  at: number;
  rps: number;
}

/**
 * Only full buckets are ever forgotten, so nobody gets tokens back by making
 * others come: while all are in use, new callers share. A caller that gets a
 * bucket of its own starts with what the shared one lacks.
 */
export function createRateLimiter<K extends string | number>(options: RateLimiterOptions): RateLimiter<K> {
  const { clock, capacity = MAX_BUCKETS, sharedBuckets = SHARED_BUCKETS } = options;
  const buckets = new Map<K, Bucket>();
  const shared = new Map<number, Bucket>();

  /** Forgets a bucket that has filled up, if one of those that are next in turn has. */
  function makeRoom(now: number): void {
    let looked = 0;
    for (const [caller, bucket] of buckets) {
      if (looked === LOOKED_AT) return;
      looked += 1;
      buckets.delete(caller);
      refill(bucket, now, bucket.rps);
      if (bucket.missing > 0) buckets.set(caller, bucket);
    }
  }

  function sharedBucket(caller: K, now: number, rps: number): Bucket {
    const index = hashOf(String(caller)) % sharedBuckets;
    let bucket = shared.get(index);
    if (bucket === undefined) {
      bucket = { missing: 0, at: now, rps };
      shared.set(index, bucket);
    }
    // Whoever gets tokens faster must not fill the bucket for whoever gets them slowly.
    refill(bucket, now, Math.min(bucket.rps, rps));
    bucket.rps = bucket.missing > 0 ? Math.min(bucket.rps, rps) : rps;
    return bucket;
  }

  function bucketOf(caller: K, { rps }: RateLimit): Bucket {
    const now = clock.elapsed();
    const known = buckets.get(caller);
    if (known !== undefined) {
      refill(known, now, rps);
      known.rps = rps;
      return known;
    }
    makeRoom(now);
    if (buckets.size >= capacity) return sharedBucket(caller, now, rps);
    const missing = shared.size === 0 ? 0 : sharedBucket(caller, now, rps).missing;
    const bucket = { missing, at: now, rps };
    buckets.set(caller, bucket);
    return bucket;
  }

  return {
    take(caller, rate) {
      const bucket = bucketOf(caller, rate);
      const allowed = hasToken(bucket, rate);
      if (allowed) bucket.missing += 1;
      return ticket(bucket, rate, allowed);
    },
    peek(caller, rate) {
      const bucket = bucketOf(caller, rate);
      return ticket(bucket, rate, hasToken(bucket, rate));
    },
    get size() {
      return buckets.size;
    },
  };
}

function hasToken({ missing }: Bucket, { burst }: RateLimit): boolean {
  return missing + 1 <= burst + ROUNDING;
}

function refill(bucket: Bucket, now: number, rps: number): void {
  bucket.missing = Math.max(0, bucket.missing - ((now - bucket.at) * rps) / 1000);
  bucket.at = now;
}

function ticket({ missing }: Bucket, rate: RateLimit, allowed: boolean): RateTicket {
  const { rps, burst } = rate;
  const lacking = missing + 1 - burst;
  return {
    allowed,
    rate,
    remaining: Math.max(0, Math.floor(burst - missing + ROUNDING)),
    fullInMs: (missing * 1000) / rps,
    waitMs: lacking > ROUNDING ? (lacking * 1000) / rps : 0,
  };
}

/** FNV-1a from a start of the process, so that nobody picks whom they share with. */
const HASH_START = Math.floor(Math.random() * 2 ** 32);

function hashOf(text: string): number {
  let hash = HASH_START;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
