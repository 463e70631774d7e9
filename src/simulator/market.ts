import type { Address } from '../chain/address.ts';
import { type CurveReserves, SOL_CURVE, USDC_CURVE } from '../programs/pump/curve.ts';
import type { HolderList } from './holder-list.ts';
import type { Wallet } from './keyring.ts';
import type { TokenKind } from './programs/token.ts';

/** State of a bonding curve, as its account would hold it. */
export interface CurveState {
  readonly reserves: CurveReserves;
  readonly complete: boolean;
  /** Fees that v3 trades leave on the curve until a sweep, raw quote units. */
  readonly creatorFees: bigint;
  readonly protocolFees: bigint;
  /** Tokens that a completing buy took from the future pool, and the quote it paid for them. */
  readonly postBaseOut: bigint;
  readonly postQuoteIn: bigint;
}

/** A pool of the AMM. The bank holds its vaults; this is the rest of its account. */
export interface Pool {
  readonly address: Address;
  /** The pool's own base and quote: the coin is the quote of an inverted pool. */
  readonly base: TokenKind;
  readonly quote: TokenKind;
  /** Only the pool that the coin graduated to prices it. */
  readonly canonical: boolean;
  /** The zero key for pools that pay no creator. */
  readonly coinCreator: Address;
  /** Pricing-only liquidity, raw quote units. */
  boost: bigint;
  /** Fees in the quote vault that are no longer the pool's. */
  unswept: bigint;
  /** The creator's share of those. */
  creatorFees: bigint;
}

/** A coin of the launchpad through all its life. */
export interface Coin {
  readonly token: TokenKind;
  readonly mint: Wallet;
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
  readonly dev: Wallet;
  /** Earner of the creator fees: the developer, or the coin's holder-rewards account. */
  readonly feeCreator: Address;
  /** Undefined = SOL. */
  readonly quote: TokenKind | undefined;
  readonly mayhem: boolean;
  readonly holderReward: boolean;
  readonly addresses: CoinAddresses;
  /** Undefined until the creation has landed. */
  curve: CurveState | undefined;
  /** The one it graduated to. */
  pool: Pool | undefined;
  /** Another one, made by hand. */
  sidePool: Pool | undefined;
  /** Nobody trades it any more, and its accounts are gone from the bank. */
  retired: boolean;
  readonly holders: HolderList;
}

/** Derived once; every trade names them. */
export interface CoinAddresses {
  readonly curve: Address;
  readonly curveToken: Address;
  readonly creatorVault: Address;
  readonly pool: Address;
  readonly poolAuthority: Address;
  readonly metadata: Address;
  readonly mayhemState: Address;
}

/** State in which a coin's curve starts. */
export function newbornCurve({ quote }: Coin): CurveState {
  const reserves = quote === undefined ? SOL_CURVE : USDC_CURVE;
  return { reserves, complete: false, creatorFees: 0n, protocolFees: 0n, postBaseOut: 0n, postQuoteIn: 0n };
}
