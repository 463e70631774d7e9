import type { Address } from '../../chain/address.ts';
import type { Coin } from '../market.ts';
import type { Random } from '../random.ts';

/** A wish to trade, in words that fit every venue. */
export interface TradeWish {
  readonly coin: Coin;
  readonly user: Address;
  readonly side: 'buy' | 'sell';
  /** Raw quote units to spend, or raw tokens to sell. */
  readonly amount: bigint;
  /** Of a sale: the most that is sold, as a share of what the seller holds when its turn comes. */
  readonly share?: number;
  /** Name of the venue's instruction; drawn when left out. */
  readonly name?: string;
  /** Set to make the venue turn it down. */
  readonly spoil?: Spoil;
  /** For a coin that the same transaction makes, or that its sender expects to be there. */
  readonly unborn?: boolean;
  /** Does not open an account for the coin first: one that is not there yet has none. */
  readonly withoutAccount?: boolean;
  /** In the coin's hand-made pool. */
  readonly inSidePool?: boolean;
}

/** `slippage`: a limit that the price has passed; `too_much`: more than the seller holds; `dust`: too little to buy anything. */
export type Spoil = 'slippage' | 'too_much' | 'dust';

/** An instruction's two numbers. */
export interface Terms {
  readonly amount: bigint;
  readonly limit: bigint;
}

const BASIS_POINTS = 10_000n;
/** Ordinary senders accept 3 % to 25 %. */
const MIN_SLIPPAGE_BPS = 300;
const MAX_SLIPPAGE_BPS = 2_500;

/** Tokens that a seller who holds so much can and wants to sell. */
export function sellable({ amount, share = 1 }: TradeWish, held: bigint): bigint {
  const most = share === 1 ? held : (held * BigInt(Math.ceil(share * 10_000))) / BASIS_POINTS;
  return amount < most ? amount : most;
}

/** The least an ordinary sender accepts where it expects this much. */
export function lowered(expected: bigint, random: Random): bigint {
  const least = (expected * (BASIS_POINTS - slippage(random))) / BASIS_POINTS;
  return least > 0n ? least : 0n;
}

/** The most an ordinary sender pays where it expects this much. */
export function raised(expected: bigint, random: Random): bigint {
  return (expected * (BASIS_POINTS + slippage(random))) / BASIS_POINTS + 1n;
}

/** More than the venue will give where this much is expected. */
export function beyond(expected: bigint): bigint {
  return expected > 0n ? expected * 2n + 1n : 1n;
}

function slippage(random: Random): bigint {
  return BigInt(random.between(MIN_SLIPPAGE_BPS, MAX_SLIPPAGE_BPS));
}
