import type { CreatePoolEvent, DepositEvent, WithdrawEvent } from '../programs/pump-amm/events.ts';
import type { LiquidityChanged, PoolCreated } from './fact.ts';
import { type PoolMints, poolSides } from './pool-sides.ts';
import { quoteOf } from './quotes.ts';
import { isCanonicalPool } from './swaps-from-pool.ts';
import type { TransactionScope } from './transaction-scope.ts';

export function poolCreated(scope: TransactionScope, event: CreatePoolEvent, ixIndex: number): PoolCreated {
  const { token, quote, inverted } = poolSides({ base: event.baseMint, quote: event.quoteMint });
  const quoteMint = quoteOf(quote);
  return {
    ...scope.base(ixIndex),
    pool: event.pool,
    mint: token,
    quoteMint,
    inverted,
    canonical: !inverted && isCanonicalPool(event.pool, token, quoteMint),
    creator: event.creator,
    tokenDecimals: inverted ? event.quoteMintDecimals : event.baseMintDecimals,
    quoteDecimals: inverted ? event.baseMintDecimals : event.quoteMintDecimals,
    tokenAmount: inverted ? event.quoteAmountIn : event.baseAmountIn,
    quoteAmount: inverted ? event.baseAmountIn : event.quoteAmountIn,
  };
}

export function deposited(
  scope: TransactionScope,
  event: DepositEvent,
  ixIndex: number,
  mints: PoolMints,
): LiquidityChanged {
  const amounts = { base: event.baseAmountIn, quote: event.quoteAmountIn, lp: event.lpTokenAmountOut };
  return changed(scope, event, ixIndex, mints, true, amounts);
}

export function withdrawn(
  scope: TransactionScope,
  event: WithdrawEvent,
  ixIndex: number,
  mints: PoolMints,
): LiquidityChanged {
  const amounts = { base: event.baseAmountOut, quote: event.quoteAmountOut, lp: event.lpTokenAmountIn };
  return changed(scope, event, ixIndex, mints, false, amounts);
}

function changed(
  scope: TransactionScope,
  event: DepositEvent | WithdrawEvent,
  ixIndex: number,
  mints: PoolMints,
  isDeposit: boolean,
  amounts: { base: bigint; quote: bigint; lp: bigint },
): LiquidityChanged {
  const { token, inverted } = poolSides(mints);
  return {
    ...scope.base(ixIndex),
    pool: event.pool,
    mint: token,
    user: event.user,
    isDeposit,
    tokenAmount: inverted ? amounts.quote : amounts.base,
    quoteAmount: inverted ? amounts.base : amounts.quote,
    lpAmount: amounts.lp,
  };
}
