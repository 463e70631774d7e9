import type { Address } from '../../chain/address.ts';
import { addressBytes } from '../../chain/keys/address-table.ts';
import { findProgramAddress } from '../../chain/keys/pda.ts';
import { AddressCache } from '../address-cache.ts';
import { PUMP_AMM_PROGRAM } from './ids.ts';

/** Pools and creators whose addresses are kept, in each of two generations per kind of address. */
const CACHED_POOLS = 20_000;

const seed = (text: string): Uint8Array => new TextEncoder().encode(text);

function derivation(prefix: string): (of: Address) => Address {
  const cache = new AddressCache(CACHED_POOLS);
  const first = seed(prefix);
  return (of) => cache.get(of, () => findProgramAddress([first, addressBytes(of)], PUMP_AMM_PROGRAM).address);
}

/** Mint of a pool's liquidity tokens. */
export const lpMintAddress: (pool: Address) => Address = derivation('pool_lp_mint');

/** The `user` of the buys by which a boosted pool burns supply: a trader that is no one. */
export const boostVaultAuthorityAddress: (pool: Address) => Address = derivation('boost_vault');

/** Owner of the vaults where a coin creator's pool fees wait. */
export const coinCreatorVaultAuthorityAddress: (creator: Address) => Address = derivation('creator_vault');

const POOL_SEED = seed('pool');

/** A pool by what it is made of; anyone may make further pools of a pair under another index or creator. */
export function poolAddress(index: number, creator: Address, baseMint: Address, quoteMint: Address): Address {
  const seeds = [
    POOL_SEED,
    Uint8Array.of(index & 0xff, index >> 8),
    addressBytes(creator),
    addressBytes(baseMint),
    addressBytes(quoteMint),
  ];
  return findProgramAddress(seeds, PUMP_AMM_PROGRAM).address;
}
