import type { Address } from '../chain/address.ts';
import type { ComputeBudget } from '../chain/block.ts';
import type { ChainPlace } from '../chain/place.ts';
import type { AMM, BONDING_CURVE, Venue } from './venue.ts';

/** Everything that happened in one block, in our words. Lists are in order of place. */
export interface BlockFacts {
  readonly slot: number;
  readonly blockhash: string;
  readonly parentSlot: number;
  /** Unix seconds; 0 when the source did not tell. */
  readonly time: number;
  readonly whole: boolean;
  readonly created: readonly TokenCreated[];
  readonly swaps: readonly Swap[];
  readonly attempts: readonly Attempt[];
  readonly completed: readonly CurveCompleted[];
  readonly graduated: readonly Graduated[];
  readonly creatorChanges: readonly CreatorChanged[];
  readonly pools: readonly PoolCreated[];
  readonly liquidity: readonly LiquidityChanged[];
  readonly payouts: readonly FeePayout[];
  readonly transfers: readonly Transfer[];
  readonly burns: readonly Burn[];
  readonly unexplained: readonly UnexplainedDelta[];
  readonly fundings: readonly Funding[];
  readonly economics: BlockEconomics;
}

/** Fields of every fact. */
export interface FactBase extends ChainPlace {
  /** Block time, Unix seconds; 0 when unknown. */
  readonly time: number;
  /** 64 bytes. */
  readonly signature: Uint8Array;
}

export interface TokenCreated extends FactBase {
  readonly mint: Address;
  /** The launch's signer. */
  readonly creator: Address;
  /** The event's creator, which earns the fees; undefined before May 2025. */
  readonly feeCreator: Address | undefined;
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
  readonly bondingCurve: Address;
  readonly decimals: number;
  /** Undefined when the event does not tell (before November 2025). */
  readonly tokenProgram: Address | undefined;
  /** Undefined = SOL. */
  readonly quoteMint: Address | undefined;
  readonly mayhem: boolean;
  readonly cashback: boolean;
  readonly holderReward: boolean;
  readonly creatorFeeBps: bigint | undefined;
  /** 0 = quoted in SOL or a listed mint, 1 = quoted in such a coin, … */
  readonly curveDepth: number;
  /** Raw units; undefined before May 2025. */
  readonly virtualTokenReserves: bigint | undefined;
  readonly virtualQuoteReserves: bigint | undefined;
  readonly realTokenReserves: bigint | undefined;
  /** Raw supply; twice the ordinary one for mayhem tokens. */
  readonly supply: bigint;
}

/** A trade that happened. Amounts are exact raw units (lamports for SOL). */
export interface Swap extends FactBase {
  readonly mint: Address;
  readonly venue: Venue;
  /** Undefined on the curve. */
  readonly pool: Address | undefined;
  readonly trader: Address;
  readonly isBuy: boolean;
  /** Undefined = SOL. */
  readonly quoteMint: Address | undefined;
  /** Decimals of the quote; undefined while unknown. 9 for SOL. */
  readonly quoteDecimals: number | undefined;
  readonly tokenDecimals: number;
  /** Net of fees. */
  readonly quoteAmount: bigint;
  /**
   * Tokens that the trader's accounts gained or lost; on an inverted pool that includes the fees, which are in the
   * token.
   */
  readonly tokenAmount: bigint;
  /** Price as an exact ratio, raw quote units over raw token units. */
  readonly priceQuote: bigint;
  readonly priceToken: bigint;
  /** Charged, in raw units of the quote, or of the token where `feeInToken` says so. */
  readonly fee: bigint;
  readonly creatorFee: bigint;
  readonly lpFee: bigint;
  /** True on inverted pools: the three fees are in the token. */
  readonly feeInToken: boolean;
  /** The event's creator; undefined when the event has none. */
  readonly feeCreator: Address | undefined;
  /** After the trade. Virtual ones price; real ones are what is held. Undefined when the event does not tell. */
  readonly virtualQuoteReserves: bigint | undefined;
  readonly virtualTokenReserves: bigint | undefined;
  readonly realQuoteReserves: bigint | undefined;
  readonly realTokenReserves: bigint | undefined;
  /** False on pools that are not the token's canonical one: served, but left out of price and candles. */
  readonly priced: boolean;
  /** True for the mayhem agent and boost buys: left out of traders, holders and PnL. */
  readonly protocolActor: boolean;
  /** Another transaction on the mint landed at block_index ±1 of the slot; undefined without the whole block. */
  readonly bundled: boolean | undefined;
  readonly feePayer: Address;
  /** Top-level program that orchestrated the swap; undefined = direct call. */
  readonly router: Address | undefined;
  /** Sum of the transaction's tips, lamports. */
  readonly tip: bigint;
  /** Receiver of the largest tip. */
  readonly tipWallet: Address | undefined;
  readonly budget: ComputeBudget;
  /** The transaction's whole fee, lamports. Once per transaction: 0 on every row but its first. */
  readonly networkFee: bigint;
  /** Signatures that the fee is for, 255 at most; on every row. */
  readonly signatures: number;
}

export type AttemptOutcome = 'rejected' | 'self_abort' | 'failed_unknown';

/** A reverted transaction that tried to trade a mint: one per (transaction, mint). */
export interface Attempt extends FactBase {
  readonly mint: Address;
  readonly venue: typeof BONDING_CURVE | typeof AMM;
  /** The instruction's user when it was recorded, else the fee payer. */
  readonly trader: Address;
  /** Undefined when no trade instruction was recorded. */
  readonly isBuy: boolean | undefined;
  readonly outcome: AttemptOutcome;
  /** Decoded reason, such as `TooMuchSolRequired`; empty when unknown. */
  readonly why: string;
  readonly errorCode: number | undefined;
  /** The program that stopped it, when known. */
  readonly program: Address | undefined;
  readonly router: Address | undefined;
  readonly feePayer: Address;
  /** Declared, never paid. */
  readonly tip: bigint;
  /** As much of it as its payers had before the transaction. */
  readonly tipPayable: bigint;
  readonly tipWallet: Address | undefined;
  readonly budget: ComputeBudget;
  /** Paid all the same, lamports: whole on every row, so a sum over a wallet counts a signature once. */
  readonly networkFee: bigint;
  /** Signatures that the fee is for, 255 at most. */
  readonly signatures: number;
}

/** The curve is full: nothing trades until the migration. */
export interface CurveCompleted extends FactBase {
  readonly mint: Address;
  readonly bondingCurve: Address;
  readonly user: Address;
}

/** Liquidity moved to the canonical pool. */
export interface Graduated extends FactBase {
  readonly mint: Address;
  readonly pool: Address;
  readonly quoteMint: Address | undefined;
  readonly tokenAmount: bigint;
  readonly quoteAmount: bigint;
  readonly migrationFee: bigint;
  /** Who called the migration; anyone may. */
  readonly user: Address;
}

export interface CreatorChanged extends FactBase {
  readonly mint: Address;
  readonly previous: Address | undefined;
  readonly creator: Address;
  readonly reason: 'set_creator' | 'admin_cto' | 'migrate_creator' | 'set_coin_creator' | 'metaplex';
}

export interface PoolCreated extends FactBase {
  readonly pool: Address;
  /** The token, whichever side of the pool it is on. */
  readonly mint: Address;
  readonly quoteMint: Address | undefined;
  /** True when the pool's base is the quote currency, so that sides flip. */
  readonly inverted: boolean;
  readonly canonical: boolean;
  readonly creator: Address;
  readonly tokenDecimals: number;
  readonly quoteDecimals: number;
  readonly tokenAmount: bigint;
  readonly quoteAmount: bigint;
}

export interface LiquidityChanged extends FactBase {
  readonly pool: Address;
  readonly mint: Address;
  readonly user: Address;
  readonly isDeposit: boolean;
  readonly tokenAmount: bigint;
  readonly quoteAmount: bigint;
  readonly lpAmount: bigint;
}

/** Fees paid out of a curve or pool: never fees charged again. */
export interface FeePayout extends FactBase {
  readonly mint: Address | undefined;
  readonly recipient: Address;
  readonly quoteMint: Address | undefined;
  readonly amount: bigint;
  readonly kind: 'protocol' | 'creator' | 'cashback' | 'holders';
}

/**
 * Tokens moved between owners outside trades, by balance deltas. In a transaction
 * that calls a venue it is `hidden`: what that transaction's trades, liquidity,
 * mints and burns leave of one wallet's balance change and of another's belongs
 * together. No delta is told twice: what a hidden move explains is no
 * {@link UnexplainedDelta}, and a balance is
 * trades + every move, hidden ones too + unexplained deltas.
 * Lists and counts of sends leave hidden ones out; balances, events and verdicts
 * count them. Where balances are made of trades and unexplained deltas without
 * sends, hidden ones belong with the deltas.
 */
export interface Transfer extends FactBase {
  readonly mint: Address;
  readonly from: Address;
  readonly to: Address;
  readonly amount: bigint;
  readonly decimals: number;
  /** Several senders and receivers: one possible pairing. */
  readonly ambiguous: boolean;
  /** Its transaction calls a venue. */
  readonly hidden: boolean;
}

export interface Burn extends FactBase {
  readonly mint: Address;
  readonly owner: Address;
  readonly amount: bigint;
  readonly decimals: number;
}

/** A balance change in a trading transaction that neither an event nor a hidden move explains (a leg on another market, say). */
export interface UnexplainedDelta extends FactBase {
  readonly mint: Address;
  readonly owner: Address;
  /** Signed raw units. */
  readonly delta: bigint;
}

/** A system transfer that created a wallet's account, or a notable later one. */
export interface Funding extends FactBase {
  readonly wallet: Address;
  readonly funder: Address;
  /** Lamports. */
  readonly amount: bigint;
  /** The wallet had no lamports before. */
  readonly createdAccount: boolean;
}

/** Each transaction's fee and tip counted once. Votes are not included. */
export interface BlockEconomics {
  readonly transactions: number;
  readonly failed: number;
  readonly votes: number;
  /** Lamports. */
  readonly fees: bigint;
  readonly priorityFees: bigint;
  readonly tips: bigint;
  readonly tipsByWallet: readonly TipTotal[];
}

export interface TipTotal {
  readonly tipWallet: Address;
  /** Transactions that tipped it. */
  readonly count: number;
  /** Those among them that tipped another wallet of its provider before it: what counts a provider leaves them out. */
  readonly repeated: number;
  readonly lamports: bigint;
  /** What each of the others tipped the provider altogether, to whichever of its wallets, in their order. */
  readonly paid: readonly bigint[];
}
