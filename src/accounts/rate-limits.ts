import type { RateLimit } from '../handlers/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { networkOf } from '../kernel/ip-address.ts';
import { createRateLimiter, type RateLimiter, type RateTicket } from './rate-limit.ts';

/** Kinds of requests without a key. */
export type AddressLimit = 'reads' | 'sign_in' | 'pages' | 'documents' | 'metrics' | 'probes';

/**
 * Rates of one address:
 * - `reads`: routes that need no key
 * - `sign_in`: nonces and their verification, each of which a person needs once
 * - `pages`: reads by pages of the web application
 * - `documents`: the documentation, whose page is a dozen files, some made for each request
 * - `metrics`: scrapes, apart, so that readers of the documentation never keep them out
 * - `probes`: `/health` and `/ready` outside the API, for balancers of load, several of which may share an address
 */
export const ADDRESS_RATES: Readonly<Record<AddressLimit, RateLimit>> = {
  reads: { rps: 5, burst: 20 },
  sign_in: { rps: 1, burst: 10 },
  pages: { rps: 5, burst: 20 },
  documents: { rps: 5, burst: 40 },
  metrics: { rps: 5, burst: 20 },
  probes: { rps: 10, burst: 40 },
};

/** Rate of an account in its sessions, and as much again for its lists by its keys. */
export const ACCOUNT_RATE: RateLimit = { rps: 10, burst: 20 };

/** Bits of an IPv6 address that name its network: whoever holds one address holds the rest of the network too. */
const IPV6_NETWORK_BITS = 64;
const IPV4_BITS = 32;

/** All buckets of this process. Several processes limit each for itself. */
export interface RateLimits {
  /** By the id of the key. */
  readonly keys: RateLimiter<number>;
  /** Takes a request of an account in any of its sessions. */
  account(accountId: number): RateTicket;
  /**
   * Takes a request for an account's lists by any of its keys, besides the limit of each key: such requests cost no
   * credits. Apart from sessions, whose owner must get in to take a key away.
   */
  lists(accountId: number): RateTicket;
  /** The address is a normal one; all of an IPv6 network /64 count as one. */
  address(limit: AddressLimit, address: string): RateTicket;
}

export interface RateLimitsOptions {
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly addressRates?: Readonly<Record<AddressLimit, RateLimit>>;
  readonly accountRate?: RateLimit;
}

export function createRateLimits(options: RateLimitsOptions): RateLimits {
  const { clock, addressRates = ADDRESS_RATES, accountRate = ACCOUNT_RATE } = options;
  const accounts = createRateLimiter<number>({ clock });
  const lists = createRateLimiter<number>({ clock });
  const addresses: Readonly<Record<AddressLimit, RateLimiter<string>>> = {
    reads: createRateLimiter({ clock }),
    sign_in: createRateLimiter({ clock }),
    pages: createRateLimiter({ clock }),
    documents: createRateLimiter({ clock }),
    metrics: createRateLimiter({ clock }),
    probes: createRateLimiter({ clock }),
  };
  return {
    keys: createRateLimiter({ clock }),
    account: (accountId) => accounts.take(accountId, accountRate),
    lists: (accountId) => lists.take(accountId, accountRate),
    address: (limit, address) => addresses[limit].take(addressNetwork(address), addressRates[limit]),
  };
}

/** Network that counts as one address. */
export function addressNetwork(address: string): string {
  return address.includes(':') ? networkOf(address, IPV4_BITS, IPV6_NETWORK_BITS) : address;
}
