import type { Socket } from 'node:net';
import { addressNetwork } from '../../accounts/rate-limits.ts';
import { normalizeIp } from '../../kernel/ip-address.ts';

/** Connections by where they come from. */
export interface AddressCounts {
  /** Counts one more; false, and not counted, when there are so many already. */
  take(address: string): boolean;
  give(address: string): void;
}

/** `max` 0 counts nothing and refuses nobody. */
export function createAddressCounts(max: number): AddressCounts {
  const counts = new Map<string, number>();
  if (max === 0) return { take: () => true, give: () => {} };
  return {
    take(address) {
      const count = counts.get(address) ?? 0;
      if (count >= max) return false;
      counts.set(address, count + 1);
      return true;
    },
    give(address) {
      const count = counts.get(address) ?? 0;
      if (count <= 1) counts.delete(address);
      else counts.set(address, count - 1);
    },
  };
}

/**
 * Address that the other end of a socket counts as: an IPv4 address, or the /64 of an IPv6 one. Empty when it has gone
 * already.
 */
export function peerOf({ remoteAddress = '' }: Socket): string {
  return addressNetwork(normalizeIp(remoteAddress) ?? '');
}
