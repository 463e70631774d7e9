import type { RateLimit } from '../../accounts/caller.ts';
import type { RateTicket } from '../../accounts/rate-limit.ts';
import type { Clock } from '../../kernel/clock.ts';

/** What an answer tells of its caller's limit, as headers. */
export interface RateHeaders extends Record<string, string | number> {
  /** `"key";q=20;w=1, "burst";q=40;w=2` */
  readonly 'ratelimit-policy': string;
  /** `"key";r=17;t=1`: whole tokens, of no more than a second; seconds until the bucket is full. */
  readonly ratelimit: string;
  /** Requests at once after a pause. */
  readonly 'x-ratelimit-limit': number;
  readonly 'x-ratelimit-remaining': number;
  /** Unix seconds when the bucket is full again. */
  readonly 'x-ratelimit-reset': number;
}

/** Whose limit it is. */
export type RateOwner = 'key' | 'account';

/** Texts by rate, of which plans and keys have few different ones. */
const policies: Readonly<Record<RateOwner, Map<number, string>>> = { key: new Map(), account: new Map() };
/** When that many are known, all are forgotten. */
const MAX_POLICIES = 1_000;
/** Larger than every burst, so that no two rates have one number. */
const BURST_SPAN = 2 ** 24;

export function rateHeaders(owner: RateOwner, ticket: RateTicket, clock: Pick<Clock, 'now'>): RateHeaders {
  const { rate, remaining, fullInMs } = ticket;
  return {
    'ratelimit-policy': policyOf(owner, rate),
    ratelimit: `"${owner}";r=${Math.min(remaining, rate.rps)};t=${Math.ceil(fullInMs / 1000)}`,
    'x-ratelimit-limit': rate.burst,
    'x-ratelimit-remaining': remaining,
    'x-ratelimit-reset': Math.ceil((clock.now() + fullInMs) / 1000),
  };
}

/** Whole seconds after which a request is let in. */
export function retryAfterSeconds({ waitMs }: RateTicket): number {
  return Math.max(1, Math.ceil(waitMs / 1000));
}

function policyOf(owner: RateOwner, { rps, burst }: RateLimit): string {
  const texts = policies[owner];
  const id = rps * BURST_SPAN + burst;
  const known = texts.get(id);
  if (known !== undefined) return known;
  const text = `"${owner}";q=${rps};w=1, "burst";q=${burst};w=${Math.ceil(burst / rps)}`;
  if (texts.size >= MAX_POLICIES) texts.clear();
  texts.set(id, text);
  return text;
}
