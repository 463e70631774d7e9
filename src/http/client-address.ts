import type { IncomingHttpHeaders } from 'node:http';
import { normalizeIp } from '../kernel/ip-address.ts';

/** The part of a request that tells where it came from. */
export interface Arrival {
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/**
 * Makes the function that tells the one text of the address that a request came from. With no trusted hop that is the
 * socket's other end. With n of them it is the n-th address from the right of X-Forwarded-For: each proxy of ours
 * appends the address it heard from, and everything further left is anybody's claim. A list that is too short or holds
 * something else there is not believed at all. Empty when the socket has gone.
 */
export function createClientAddress(trustedHops: number): (arrival: Arrival) => string {
  return ({ headers, socket }) => {
    const forwarded = trustedHops === 0 ? undefined : headers['x-forwarded-for'];
    const claimed = typeof forwarded === 'string' ? normalizeIp(nthFromRight(forwarded, trustedHops)) : undefined;
    return claimed ?? normalizeIp(socket.remoteAddress ?? '') ?? '';
  };
}

/** The n-th part of a list with commas, counted from its end; empty when there are fewer. */
function nthFromRight(list: string, n: number): string {
  let end = list.length;
  for (let passed = 1; passed < n; passed += 1) {
    end = list.lastIndexOf(',', end - 1);
    // A comma at the very start is no end either: the next search would begin behind the list.
    if (end <= 0) return '';
  }
  return list.slice(list.lastIndexOf(',', end - 1) + 1, end).trim();
}
