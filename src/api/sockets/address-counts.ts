import type { Socket } from 'node:net';
import { networkOf, normalizeIp } from '../../kernel/ip-address.ts';

const IPV4_BITS = 32;
/** Whoever holds an IPv6 address holds the rest of its network too. */
const IPV6_NETWORK_BITS = 64;

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

/** What the other end of a socket counts as: an IPv4 address, or the /64 of an IPv6 one. Empty when it has gone already. */
export function peerOf({ remoteAddress = '' }: Socket): string {
  const address = normalizeIp(remoteAddress) ?? '';
  return address.includes(':') ? networkOf(address, IPV4_BITS, IPV6_NETWORK_BITS) : address;
}
