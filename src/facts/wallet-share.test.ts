import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../test/support/block-facts.ts';
import type { Address } from '../chain/address.ts';
import { encodeAddress } from '../chain/keys/base58.ts';
import { ALL_WALLETS, createWalletShares, halvesOf, sharesLeft } from './wallet-share.ts';

const random = seededRandom(4);
const bytes = () => Uint8Array.from({ length: 32 }, () => Math.floor(random() * 256));
const wallets = Array.from({ length: 2_000 }, () => encodeAddress(bytes()));

describe('shares of wallets', () => {
  it('have each wallet once, and half of them each', () => {
    const isOfShare = createWalletShares(99);
    expect(wallets.every((wallet) => isOfShare(ALL_WALLETS, wallet))).toBe(true);
    const quarters = halvesOf(ALL_WALLETS).flatMap(halvesOf);
    for (const wallet of wallets) expect(quarters.filter((share) => isOfShare(share, wallet))).toHaveLength(1);
    for (const share of quarters) {
      const part = wallets.filter((wallet) => isOfShare(share, wallet)).length;
      expect(part).toBeGreaterThan(400);
      expect(part).toBeLessThan(600);
    }
  });

  it('that are left make up the whole with the one that was gone on with', () => {
    const [first] = halvesOf(halvesOf(halvesOf(ALL_WALLETS)[0])[0]);
    const isOfShare = createWalletShares(5);
    const all = [first, ...sharesLeft(ALL_WALLETS, first)];
    expect(all).toHaveLength(4);
    for (const wallet of wallets) expect(all.filter((share) => isOfShare(share, wallet))).toHaveLength(1);
    expect(sharesLeft(first, first)).toEqual([]);
  });

  it('cannot be chosen by whoever does not know the seed', () => {
    const half = halvesOf(ALL_WALLETS)[0];
    /** Wallets that are all of one share as far as a stranger knows who guesses another seed. */
    const made: Address[] = wallets.filter((wallet) => createWalletShares(1)(half, wallet));
    for (const seed of [2, 3, 65_536, 0x7fffffff]) {
      const part = made.filter((wallet) => createWalletShares(seed)(half, wallet)).length / made.length;
      expect(part).toBeGreaterThan(0.4);
      expect(part).toBeLessThan(0.6);
    }
  });
});
