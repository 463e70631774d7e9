import type { Address } from '../../chain/address.ts';
import { addressBytes, internAddress } from '../../chain/keys/address-table.ts';
import { findProgramAddress } from '../../chain/keys/pda.ts';
import { DISCRIMINATOR_BYTES, discriminatorText } from '../discriminator.ts';

/** Jito's program that shares the tips of bundles between validators and their stakers. */
export const TIP_DISTRIBUTION_PROGRAM = '4R3gSG8BpU4t19KYj8CfnbtRpnT8gtk4dvTHxVRwc2r7' as Address;

/** Of Anchor, for `TipDistributionAccount`. */
export const TIP_DISTRIBUTION_DISCRIMINATOR = '554071c6ea5e787b';
/** How much of an account says whose it is: the vote account stands first. */
export const TIP_DISTRIBUTION_BYTES = DISCRIMINATOR_BYTES + 32;

const SEED = Buffer.from('TIP_DISTRIBUTION_ACCOUNT');

/**
 * Where the tips of a validator are gathered during one epoch. Its own client makes the account when it first leads with
 * bundles in that epoch; it is closed some epochs later. Costs as much as {@link findProgramAddress}.
 */
export function tipDistributionAddress(vote: Address, epoch: number): Address {
  const number = Buffer.alloc(8);
  number.writeBigUInt64LE(BigInt(epoch));
  return findProgramAddress([SEED, addressBytes(vote), number], TIP_DISTRIBUTION_PROGRAM).address;
}

/** The vote account of whom an account of the program gathers tips; undefined for every other kind of account. */
export function readTipDistribution(data: Uint8Array): Address | undefined {
  if (data.length < TIP_DISTRIBUTION_BYTES || discriminatorText(data, 0) !== TIP_DISTRIBUTION_DISCRIMINATOR)
    return undefined;
  return internAddress(data, DISCRIMINATOR_BYTES);
}
