import type { Address } from '../chain/address.ts';

/** A part of the wallets of a mint: those whose hash modulo `of`, a power of two, is `place`. */
export interface WalletShare {
  readonly of: number;
  readonly place: number;
}

export const ALL_WALLETS: WalletShare = { of: 1, place: 0 };

/** Both halves of a share. */
export function halvesOf({ of, place }: WalletShare): readonly [WalletShare, WalletShare] {
  return [
    { of: 2 * of, place },
    { of: 2 * of, place: place + of },
  ];
}

/** What is left of the share `asked` without `first`, which is its first half, or the first half of that, and so on. */
export function sharesLeft(asked: WalletShare, first: WalletShare): readonly WalletShare[] {
  const left: WalletShare[] = [];
  for (let share = asked; share.of < first.of; ) {
    const [half, other] = halvesOf(share);
    left.push(other);
    share = half;
  }
  return left;
}

/** True of a wallet that belongs to a share. */
export type IsOfShare = (share: WalletShare, wallet: Address) => boolean;

/**
 * Numbers wallets by a hash of their address that begins with a seed. Whoever does not know that can make no wallets that
 * all fall into one share. The same seed gives the same shares.
 */
export function createWalletShares(seed: number): IsOfShare {
  return ({ of, place }, wallet) => of === 1 || (hashOf(wallet, seed) & (of - 1)) === place;
}

/** 32 bits: FNV-1a, and what Murmur ends with, so that each of them depends on all of the address and the seed. */
function hashOf(text: string, seed: number): number {
  let hash = seed | 0;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
