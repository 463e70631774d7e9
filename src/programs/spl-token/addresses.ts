import type { Address } from '../../chain/address.ts';
import { addressBytes } from '../../chain/keys/address-table.ts';
import { findProgramAddress } from '../../chain/keys/pda.ts';
import { ATA_PROGRAM } from '../../chain/well-known.ts';
import { AddressCache } from '../address-cache.ts';

/** Accounts kept, in each of two generations. */
const CACHED_ACCOUNTS = 50_000;

const cache = new AddressCache(CACHED_ACCOUNTS);

/** The associated token account of an owner for a mint of the given token program. */
export function tokenAccountAddress(owner: Address, mint: Address, tokenProgram: Address): Address {
  return cache.get(`${owner}${mint}${tokenProgram}`, () => {
    const seeds = [addressBytes(owner), addressBytes(tokenProgram), addressBytes(mint)];
    return findProgramAddress(seeds, ATA_PROGRAM).address;
  });
}
