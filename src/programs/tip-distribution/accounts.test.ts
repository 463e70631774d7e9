import { createHash } from 'node:crypto';
import { getAddressEncoder, getProgramDerivedAddress, getU64Encoder, type Address as KitAddress } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { Address } from '../../chain/address.ts';
import { addressBytes } from '../../chain/keys/address-table.ts';
import {
  readTipDistribution,
  TIP_DISTRIBUTION_BYTES,
  TIP_DISTRIBUTION_DISCRIMINATOR,
  TIP_DISTRIBUTION_PROGRAM,
  tipDistributionAddress,
} from './accounts.ts';

const VOTE = 'HEL1USMZKAL2odpNBj2oCjffnFGaYwmbGmyewGv1e2TU' as Address;

/** An account as the program makes it, its root not there yet. */
function account(): Buffer {
  const data = Buffer.alloc(168);
  data.write(TIP_DISTRIBUTION_DISCRIMINATOR, 'hex');
  data.set(addressBytes(VOTE), 8);
  return data;
}

describe('where tips are gathered', () => {
  it('is the address that others derive of the vote account and the epoch', async () => {
    for (const epoch of [0, 255, 1_064, 2 ** 40]) {
      const seeds = [
        'TIP_DISTRIBUTION_ACCOUNT',
        getAddressEncoder().encode(VOTE as string as KitAddress),
        getU64Encoder().encode(epoch),
      ];
      const [address] = await getProgramDerivedAddress({
        programAddress: TIP_DISTRIBUTION_PROGRAM as string as KitAddress,
        seeds,
      });
      expect(tipDistributionAddress(VOTE, epoch)).toBe(address);
    }
  });

  it('is told by the account itself, of which the first bytes are enough', () => {
    const name = createHash('sha256').update('account:TipDistributionAccount').digest('hex').slice(0, 16);
    expect(TIP_DISTRIBUTION_DISCRIMINATOR).toBe(name);
    expect(readTipDistribution(account())).toBe(VOTE);
    expect(readTipDistribution(account().subarray(0, TIP_DISTRIBUTION_BYTES))).toBe(VOTE);
  });

  it.each([
    ['is empty: somebody sent lamports to the address', Buffer.alloc(0)],
    ['is of another kind', account().fill(1, 0, 1)],
    ['ends within the vote account', account().subarray(0, TIP_DISTRIBUTION_BYTES - 1)],
  ])('is not told by an account that %s', (_what, data) => {
    expect(readTipDistribution(data)).toBeUndefined();
  });
});
