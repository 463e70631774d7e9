import { type Address, ZERO_ADDRESS } from '../chain/address.ts';
import type { ComputeBudget } from '../chain/block.ts';
import { isProtocolActor } from '../programs/registry/index.ts';
import type { Swap } from './fact.ts';
import type { PriceRatio } from './price.ts';
import { quoteDecimalsOf } from './quotes.ts';
import { routerOf } from './router.ts';
import type { TransactionScope } from './transaction-scope.ts';
import type { Venue } from './venue.ts';

/** A swap whose `bundled` and true trader are still to be decided, when all swaps around it are known. */
export type DraftSwap = Omit<Swap, 'bundled' | 'trader'> & { bundled: boolean | undefined; trader: Address };

/** The parts of a swap that the venues tell differently; the rest of a row comes from the transaction. */
export interface SwapParts {
  readonly mint: Address;
  readonly venue: Venue;
  readonly pool: Address | undefined;
  /** As the event tells it. */
  readonly user: Address;
  readonly isBuy: boolean;
  /** Undefined = SOL. */
  readonly quoteMint: Address | undefined;
  readonly tokenDecimals: number;
  readonly quoteAmount: bigint;
  readonly tokenAmount: bigint;
  readonly price: PriceRatio;
  readonly fee: bigint;
  readonly creatorFee: bigint;
  readonly lpFee: bigint;
  readonly feeInToken: boolean;
  /** The zero key stands for none. */
  readonly feeCreator: Address | undefined;
  readonly reserves: SwapReserves;
  readonly priced: boolean;
  /** The protocol itself trades here, whoever the user is. */
  readonly byProtocol: boolean;
  readonly budget: ComputeBudget;
}

/** After the trade; undefined when the event does not tell. */
export interface SwapReserves {
  readonly virtualQuote: bigint | undefined;
  readonly virtualToken: bigint | undefined;
  readonly realQuote: bigint | undefined;
  readonly realToken: bigint | undefined;
}

export function draftSwap(scope: TransactionScope, ixIndex: number, parts: SwapParts): DraftSwap {
  const { transaction, tips } = scope;
  const { reserves } = parts;
  return {
    slot: scope.slot,
    blockIndex: scope.blockIndex,
    ixIndex,
    time: scope.time,
    signature: scope.signature,
    mint: parts.mint,
    venue: parts.venue,
    pool: parts.pool,
    trader: parts.user,
    isBuy: parts.isBuy,
    quoteMint: parts.quoteMint,
    quoteDecimals: quoteDecimalsOf(transaction, parts.quoteMint),
    tokenDecimals: parts.tokenDecimals,
    quoteAmount: parts.quoteAmount,
    tokenAmount: parts.tokenAmount,
    priceQuote: parts.price.quote,
    priceToken: parts.price.token,
    fee: parts.fee,
    creatorFee: parts.creatorFee,
    lpFee: parts.lpFee,
    feeInToken: parts.feeInToken,
    feeCreator: parts.feeCreator === ZERO_ADDRESS ? undefined : parts.feeCreator,
    virtualQuoteReserves: reserves.virtualQuote,
    virtualTokenReserves: reserves.virtualToken,
    realQuoteReserves: reserves.realQuote,
    realTokenReserves: reserves.realToken,
    priced: parts.priced,
    protocolActor: parts.byProtocol || isProtocolActor(parts.user),
    bundled: undefined,
    feePayer: scope.feePayer,
    router: routerOf(transaction, ixIndex),
    tip: tips.total,
    tipWallet: tips.wallet,
    budget: parts.budget,
    networkFee: scope.takeNetworkFee(),
    signatures: scope.signatures,
  };
}
