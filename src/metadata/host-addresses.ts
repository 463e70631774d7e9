import { Resolver } from 'node:dns/promises';
import { isPublicAddress } from './public-address.ts';

/** Every address of a host name. Rejects when there is none. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

const TIMEOUT_MS = 2_000;
const TRIES = 2;
/** More addresses than a host needs are not looked at: all must be public, and one is dialled. */
const MAX_ADDRESSES = 32;

/**
 * Asks the name servers directly: the system's own look-up would take a thread
 * that everything else shares for as long as a stranger's name server likes, and
 * would believe the hosts file.
 */
export function createDnsResolver(): ResolveHost {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  return async (host) => {
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const failure = found.find((answer) => answer.status === 'rejected');
    if (addresses.length === 0) throw failure?.reason ?? new Error('no address');
    return addresses;
  };
}

/** The addresses when every one of them is public; undefined when one is not. */
export async function publicAddresses(resolve: ResolveHost, host: string): Promise<readonly string[] | undefined> {
  const addresses = await resolve(host);
  if (addresses.length === 0 || addresses.length > MAX_ADDRESSES) return undefined;
  return addresses.every(isPublicAddress) ? addresses : undefined;
}
