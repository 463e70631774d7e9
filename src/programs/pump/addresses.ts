import type { Address } from '../../chain/address.ts';
import { WSOL_MINT, ZERO_ADDRESS } from '../../chain/address.ts';
import { addressBytes } from '../../chain/keys/address-table.ts';
import { findProgramAddress } from '../../chain/keys/pda.ts';
import { AddressCache } from '../address-cache.ts';
import { poolAddress } from '../pump-amm/addresses.ts';
import { tokenAccountAddress } from '../spl-token/addresses.ts';
import { PUMP_PROGRAM } from './ids.ts';

/** Coins whose addresses are kept, in each of two generations per kind of address. */
const CACHED_COINS = 20_000;

const seed = (text: string): Uint8Array => new TextEncoder().encode(text);

function derivation(prefix: string): (of: Address) => Address {
  const cache = new AddressCache(CACHED_COINS);
  const first = seed(prefix);
  return (of) => cache.get(of, () => findProgramAddress([first, addressBytes(of)], PUMP_PROGRAM).address);
}

/** The curve of a coin: its account, and the owner of its reserves. */
export const bondingCurveAddress: (mint: Address) => Address = derivation('bonding-curve');

/** Creator of a coin's canonical pool. */
export const poolAuthorityAddress: (mint: Address) => Address = derivation('pool-authority');

/** Address at which a creator's curve fees wait. */
export const creatorVaultAddress: (creator: Address) => Address = derivation('creator-vault');

/** The `creator` of a coin whose creator fees go to its holders. */
export const holderRewardsAddress: (mint: Address) => Address = derivation('holder-rewards');

export const userVolumeAccumulatorAddress: (user: Address) => Address = derivation('user_volume_accumulator');

/** The curve's token account of its coin. */
export function curveTokenAccountAddress(mint: Address, tokenProgram: Address): Address {
  return tokenAccountAddress(bondingCurveAddress(mint), mint, tokenProgram);
}

const canonicalPools = new AddressCache(CACHED_COINS);

/** The pool a coin graduates to. `quoteMint` is the curve's: undefined and the zero key stand for SOL. */
export function canonicalPoolAddress(mint: Address, quoteMint: Address | undefined): Address {
  const quote = quoteMint === undefined || quoteMint === ZERO_ADDRESS ? WSOL_MINT : quoteMint;
  return canonicalPools.get(`${mint}${quote}`, () => poolAddress(0, poolAuthorityAddress(mint), mint, quote));
}
