import type { FastifyRequest } from 'fastify';
import { addressNetwork } from '../accounts/rate-limits.ts';
import type { Share } from '../store/reads/reader.ts';

/**
 * The share of the store that a request takes from: its account's and its key's, or that of the address which it came
 * from.
 */
export function readShare({
  keyPrincipal,
  clientAddress,
}: Pick<FastifyRequest, 'keyPrincipal' | 'clientAddress'>): Share {
  if (keyPrincipal !== undefined)
    return { account: `account ${keyPrincipal.accountId}`, key: `key ${keyPrincipal.id}` };
  const address = `address ${addressNetwork(clientAddress)}`;
  return { account: address, key: address };
}
