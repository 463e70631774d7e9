import type { Address } from '../../chain/address.ts';
import { MIGRATION_FEE } from '../../programs/pump/curve.ts';
import type { Coin } from '../market.ts';
import { BUYBACK_RECIPIENTS, FEE_RECIPIENTS, MAYHEM_FEE_RECIPIENTS } from '../scenery.ts';
import { type TokenKind, WSOL } from './token.ts';
import type { FeeRates } from './venue.ts';

export type CurveTradeName =
  | 'buy'
  | 'buy_exact_sol_in'
  | 'sell'
  | 'buy_v2'
  | 'buy_exact_quote_in_v2'
  | 'sell_v2'
  | 'buy_v3'
  | 'buy_exact_quote_in_v3'
  | 'sell_v3';

/** A trade on a bonding curve. */
export interface CurveTrade {
  readonly name: CurveTradeName;
  readonly coin: Coin;
  readonly user: Address;
  /** Tokens of an exact buy or a sell; quote to spend of an exact-in buy. */
  readonly amount: bigint;
  /** The most quote to pay, the fewest tokens to get, or the least quote to receive. */
  readonly limit: bigint;
  /** The mayhem agent pays no fees. */
  readonly byAgent?: boolean;
}

export const CURVE_RATES: FeeRates = { lp: 0n, protocol: 95n, creator: 30n };
export const AGENT_RATES: FeeRates = { lp: 0n, protocol: 0n, creator: 0n };

const BASIS_POINTS = 10_000n;
/** Share of the protocol fee that goes to the buyback; mayhem coins have none. */
export const BUYBACK_BPS = 5_000n;

export function buybackBps(coin: Coin): bigint {
  return coin.mayhem ? 0n : BUYBACK_BPS;
}

export function buybackPart(coin: Coin, fee: bigint): bigint {
  return (fee * buybackBps(coin)) / BASIS_POINTS;
}

/** Kept back from the raised quote when a curve migrates. Only SOL curves pay for it. */
export function migrationFee(coin: Coin): bigint {
  return coin.quote === undefined ? MIGRATION_FEE : 0n;
}

/** Trades of the third version leave all fees but the buyback's share on the curve. */
export function keepsFees(name: CurveTradeName): boolean {
  return name.endsWith('_v3');
}

/** The quote of a coin as a token; SOL appears wrapped. */
export function quoteKind(coin: Coin): TokenKind {
  return coin.quote ?? WSOL;
}

export function feeRecipientOf(coin: Coin): Address {
  return choose(coin.mayhem ? MAYHEM_FEE_RECIPIENTS : FEE_RECIPIENTS, coin);
}

export function buybackRecipientOf(coin: Coin): Address {
  return choose(BUYBACK_RECIPIENTS, coin);
}

/** Always the same recipient for a coin, so that its accounts are few. */
function choose(list: readonly Address[], coin: Coin): Address {
  return list[coin.token.mint.charCodeAt(3) % list.length]!;
}
