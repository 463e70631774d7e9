import type { RateTicket } from '../accounts/rate-limit.ts';
import type { RateLimit } from '../handlers/caller.ts';
import type { Clock } from '../kernel/clock.ts';

/** Headers in which an answer tells its caller's limit. */
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

/** The key or account that a limit belongs to. */
export type RateOwner = 'key' | 'account';

/** Texts of a rate. In full flow the limit's text is that of the request before, so it is kept. */
interface RateTexts {
  readonly policy: string;
  limit: string;
  /** Tokens and seconds in the limit's text. */
  tokens: number;
  seconds: number;
}

/** Texts by rate, of which plans and keys have few different ones. */
const known: Readonly<Record<RateOwner, Map<number, RateTexts>>> = { key: new Map(), account: new Map() };
/** Rates that may be known: at this number all are forgotten. */
const MAX_RATES = 1_000;
/** Larger than every burst, so that no two rates have one number. */
const BURST_SPAN = 2 ** 24;

export function rateHeaders(owner: RateOwner, ticket: RateTicket, clock: Pick<Clock, 'now'>): RateHeaders {
  const { rate, remaining, fullInMs } = ticket;
  const texts = textsOf(owner, rate);
  return {
    'ratelimit-policy': texts.policy,
    ratelimit: limitText(texts, owner, Math.min(remaining, rate.rps), Math.ceil(fullInMs / 1000)),
    'x-ratelimit-limit': rate.burst,
    'x-ratelimit-remaining': remaining,
    'x-ratelimit-reset': Math.ceil((clock.now() + fullInMs) / 1000),
  };
}

/** Whole seconds after which a request is let in. */
export function retryAfterSeconds({ waitMs }: RateTicket): number {
  return Math.max(1, Math.ceil(waitMs / 1000));
}

function limitText(texts: RateTexts, owner: RateOwner, tokens: number, seconds: number): string {
  if (texts.tokens !== tokens || texts.seconds !== seconds) {
    texts.limit = `"${owner}";r=${tokens};t=${seconds}`;
    texts.tokens = tokens;
    texts.seconds = seconds;
  }
  return texts.limit;
}

function textsOf(owner: RateOwner, { rps, burst }: RateLimit): RateTexts {
  const rates = known[owner];
  const id = rps * BURST_SPAN + burst;
  const before = rates.get(id);
  if (before !== undefined) return before;
  const policy = `"${owner}";q=${rps};w=1, "burst";q=${burst};w=${Math.ceil(burst / rps)}`;
  const texts: RateTexts = { policy, limit: '', tokens: Number.NaN, seconds: Number.NaN };
  if (rates.size >= MAX_RATES) rates.clear();
  rates.set(id, texts);
  return texts;
}
