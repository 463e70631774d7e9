import type { Address } from '../../src/chain/address.ts';
import type { Swap, Transfer } from '../../src/facts/fact.ts';
import type { PlayedScheme } from '../../src/simulator/truth/schemes.ts';
import type { TokenTruth } from './chain.ts';

/** Wallets of a scheme whose buy landed in one of its own transactions. */
export function landedBuyers(token: TokenTruth, scheme: PlayedScheme): Address[] {
  return traders(token, scheme, true);
}

/** The same for sales. */
export function landedSellers(token: TokenTruth, scheme: PlayedScheme): Address[] {
  return traders(token, scheme, false);
}

/** Transfers of the token by a scheme's own transactions. */
export function landedSends(token: TokenTruth, scheme: PlayedScheme): Transfer[] {
  const places = placesOf(scheme);
  return token.transfers.filter((transfer) => places.has(placeOf(transfer)));
}

function traders(token: TokenTruth, scheme: PlayedScheme, isBuy: boolean): Address[] {
  const places = placesOf(scheme);
  const wallets = new Set(scheme.wallets);
  const landed = (swap: Swap) => swap.isBuy === isBuy && wallets.has(swap.trader) && places.has(placeOf(swap));
  return [...new Set(token.swaps.filter(landed).map(({ trader }) => trader))];
}

function placesOf({ moves }: PlayedScheme): Set<string> {
  return new Set(moves.map(placeOf));
}

function placeOf({ slot, blockIndex }: { readonly slot: number; readonly blockIndex: number }): string {
  return `${slot}/${blockIndex}`;
}
