import { type Address, ZERO_ADDRESS } from '../chain/address.ts';
import { creatorVaultAddress } from '../programs/pump/addresses.ts';
import type { PostCompleteBuyEvent, TradeEvent } from '../programs/pump/events.ts';
import { coinCreatorVaultAuthorityAddress } from '../programs/pump-amm/addresses.ts';
import type { BuyEvent, SellEvent } from '../programs/pump-amm/events.ts';
import type { PoolMints } from './pool-sides.ts';
import { isCurrency, quoteOf } from './quotes.ts';

/** A part of a trade's fees as one receiver gets it, in something else than money. */
export interface TokenFee {
  readonly mint: Address;
  readonly amount: bigint;
  /** Owner of the account that gets it; undefined where the event does not tell. */
  readonly receiver: Address | undefined;
}

/**
 * The fees that a trade in a pool sent to accounts of others: fees are in the program's quote, which is the token of an
 * inverted pool. What liquidity providers get stays in the pool.
 */
export function poolFees(event: BuyEvent | SellEvent, { quote }: PoolMints): TokenFee[] {
  const { coinCreator = ZERO_ADDRESS, protocolFeeRecipient } = event;
  return feesOf(quote, {
    fee: event.protocolFee,
    creatorFee: event.coinCreatorFee ?? 0n,
    buyback: event.buybackFee ?? 0n,
    cashback: event.cashback ?? 0n,
    recipient: protocolFeeRecipient,
    vault: coinCreator === ZERO_ADDRESS ? undefined : coinCreatorVaultAuthorityAddress(coinCreator),
  });
}

/** Fees of a trade on a curve that is quoted in a coin. */
export function curveFees(event: TradeEvent): TokenFee[] {
  const quote = quoteOf(event.quoteMint);
  if (quote === undefined) return [];
  const { creator = ZERO_ADDRESS, feeRecipient = ZERO_ADDRESS } = event;
  return feesOf(quote, {
    fee: event.fee ?? 0n,
    creatorFee: event.creatorFee ?? 0n,
    buyback: event.buybackFee ?? 0n,
    cashback: event.cashback ?? 0n,
    recipient: feeRecipient,
    vault: creator === ZERO_ADDRESS ? undefined : creatorVaultAddress(creator),
  });
}

/** Fees of the part of a completing buy that the future pool filled: all but the buyback waits in the curve. */
export function completionFees(event: PostCompleteBuyEvent): TokenFee[] {
  const quote = quoteOf(event.quoteMint);
  if (quote === undefined) return [];
  const { fee, creatorFee, buybackFee: buyback } = event;
  return feesOf(quote, { fee, creatorFee, buyback, cashback: 0n, recipient: ZERO_ADDRESS, vault: undefined });
}

interface Charged {
  /** The buyback is a part of it. */
  readonly fee: bigint;
  readonly creatorFee: bigint;
  readonly buyback: bigint;
  readonly cashback: bigint;
  /** The zero key where fees wait in the reserves until a sweep. */
  readonly recipient: Address;
  readonly vault: Address | undefined;
}

function feesOf(mint: Address, { fee, creatorFee, buyback, cashback, recipient, vault }: Charged): TokenFee[] {
  if (isCurrency(mint)) return [];
  const fees: TokenFee[] = [
    { mint, amount: buyback, receiver: undefined },
    { mint, amount: cashback, receiver: undefined },
  ];
  if (recipient !== ZERO_ADDRESS) {
    fees.push({ mint, amount: fee - buyback, receiver: recipient });
    fees.push({ mint, amount: creatorFee, receiver: vault });
  }
  return fees.filter(({ amount }) => amount > 0n);
}
