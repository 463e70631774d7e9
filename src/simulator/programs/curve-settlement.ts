import { type Address, ZERO_ADDRESS } from '../../chain/address.ts';
import type { CurveTrade as CurveFill } from '../../programs/pump/curve.ts';
import type { Coin, CurveState } from '../market.ts';
import type { Execution } from '../runtime/execution.ts';
import type { PostCompletePart } from './curve-completion.ts';
import {
  buybackPart,
  buybackRecipientOf,
  type CurveTrade,
  feeRecipientOf,
  keepsFees,
  quoteKind,
} from './curve-terms.ts';
import { moveLamports } from './system.ts';
import { associatedAccount, transferTokens } from './token.ts';

/** Fields of the event beside the amounts. */
export interface CurveSettlement {
  readonly curve: CurveState;
  /** The zero key when the fee stays on the curve. */
  readonly feeRecipient: Address;
  readonly buybackFee: bigint;
}

/** Moves the tokens, the quote and the fees of a trade, and the curve's state with them. */
export function settleCurveTrade(
  execution: Execution,
  trade: CurveTrade,
  before: CurveState,
  isBuy: boolean,
  fill: CurveFill,
  post: PostCompletePart | undefined,
): CurveSettlement {
  const { coin } = trade;
  const kept = keepsFees(trade.name);
  const fee = fill.fee + (post?.fee ?? 0n);
  const creatorFee = fill.creatorFee + (post?.creatorFee ?? 0n);
  const buybackFee = buybackPart(coin, fill.fee);
  const buyback = buybackFee + (post?.buybackFee ?? 0n);
  const parts = {
    quote: fill.quoteAmount + (post?.quoteIn ?? 0n),
    protocol: fee - buyback,
    creator: creatorFee,
    buyback,
  };
  if (isBuy) payIn(execution, trade, fill.tokenAmount + (post?.baseOut ?? 0n), parts, kept);
  else payOut(execution, trade, fill, parts, kept);

  const curve: CurveState = {
    reserves: fill.after,
    complete: fill.after.realToken === 0n,
    creatorFees: before.creatorFees + (kept ? creatorFee : 0n),
    protocolFees: before.protocolFees + (kept ? parts.protocol : 0n),
    postBaseOut: post?.baseOut ?? 0n,
    postQuoteIn: post?.quoteIn ?? 0n,
  };
  execution.bank.onRollback(() => {
    coin.curve = before;
  });
  coin.curve = curve;
  return { curve, feeRecipient: kept ? ZERO_ADDRESS : feeRecipientOf(coin), buybackFee };
}

/** Raw quote units by where they go. */
interface Parts {
  readonly quote: bigint;
  readonly protocol: bigint;
  readonly creator: bigint;
  readonly buyback: bigint;
}

function payIn(execution: Execution, { coin, user }: CurveTrade, tokens: bigint, parts: Parts, kept: boolean): void {
  const { token, addresses } = coin;
  execution.invoke(
    transferTokens(token, addresses.curveToken, associatedAccount(user, token), addresses.curve, tokens),
  );
  const pay = (to: Address, amount: bigint) => {
    if (amount > 0n) execution.invoke(payment(coin, user, to, amount));
  };
  pay(buybackRecipientOf(coin), parts.buyback);
  if (kept) {
    pay(addresses.curve, parts.quote + parts.protocol + parts.creator);
    return;
  }
  pay(addresses.curve, parts.quote);
  pay(addresses.creatorVault, parts.creator);
  pay(feeRecipientOf(coin), parts.protocol);
}

function payOut(execution: Execution, { coin, user }: CurveTrade, fill: CurveFill, parts: Parts, kept: boolean): void {
  const { token, addresses } = coin;
  execution.invoke(transferTokens(token, associatedAccount(user, token), addresses.curveToken, user, fill.tokenAmount));
  const pay = (to: Address, amount: bigint) => {
    if (amount === 0n) return;
    // The curve owns its lamports: it hands them over without the System program.
    if (coin.quote === undefined) execution.bank.moveLamports(addresses.curve, to, amount);
    else execution.invoke(payment(coin, addresses.curve, to, amount));
  };
  pay(user, fill.userQuote);
  pay(buybackRecipientOf(coin), parts.buyback);
  if (kept) return;
  pay(addresses.creatorVault, parts.creator);
  pay(feeRecipientOf(coin), parts.protocol);
}

function payment(coin: Coin, from: Address, to: Address, amount: bigint) {
  if (coin.quote === undefined) return moveLamports(from, to, amount);
  const quote = quoteKind(coin);
  return transferTokens(quote, associatedAccount(from, quote), associatedAccount(to, quote), from, amount);
}
