import { type Address, ZERO_ADDRESS } from '../../chain/address.ts';
import type { PoolTrade as PoolFill } from '../../programs/pump-amm/pool.ts';
import type { Execution } from '../runtime/execution.ts';
import { BUYBACK_BPS } from './curve-terms.ts';
import { coinCreatorVault, poolBuybackAccount, poolFeeRecipient } from './pool-accounts.ts';
import { type PoolTrade, poolKeepsFees } from './pool-terms.ts';
import { associatedAccount, transferTokens } from './token.ts';

const BASIS_POINTS = 10_000n;

/** Fields of the event beside the amounts. */
export interface PoolSettlement {
  /** The zero key when the fee stays in the vault. */
  readonly feeRecipient: Address;
  readonly feeRecipientAccount: Address;
  readonly buybackFee: bigint;
  /** The user's balances before the trade. */
  readonly userBase: bigint;
  readonly userQuote: bigint;
}

/** Moves base, quote and fees of a trade, and notes which of the vault's quote is a fee in waiting. */
export function settlePoolTrade(
  execution: Execution,
  trade: PoolTrade,
  fill: PoolFill,
  buysBase: boolean,
): PoolSettlement {
  const { name, pool, user } = trade;
  const { base, quote } = pool;
  const { bank } = execution;
  const kept = poolKeepsFees(name);
  const accounts = {
    userBase: associatedAccount(user, base),
    userQuote: associatedAccount(user, quote),
    poolBase: associatedAccount(pool.address, base),
    poolQuote: associatedAccount(pool.address, quote),
  };
  const held = (account: Address) => bank.tokenAccount(account)?.amount ?? 0n;
  const before = { userBase: held(accounts.userBase), userQuote: held(accounts.userQuote) };
  const buybackFee = (fill.protocolFee * BUYBACK_BPS) / BASIS_POINTS;
  const waiting = fill.protocolFee - buybackFee + fill.creatorFee;
  const recipient = poolFeeRecipient(pool);
  const payer = buysBase
    ? { account: accounts.userQuote, owner: user }
    : { account: accounts.poolQuote, owner: pool.address };
  const pay = (to: Address, amount: bigint) => {
    if (amount > 0n) execution.invoke(transferTokens(quote, payer.account, to, payer.owner, amount));
  };

  if (buysBase) {
    execution.invoke(transferTokens(base, accounts.poolBase, accounts.userBase, pool.address, fill.baseAmount));
    pay(accounts.poolQuote, fill.quoteAmount + fill.lpFee + (kept ? waiting : 0n));
  } else {
    execution.invoke(transferTokens(base, accounts.userBase, accounts.poolBase, user, fill.baseAmount));
    pay(accounts.userQuote, fill.userQuote);
  }
  pay(poolBuybackAccount(pool), buybackFee);
  if (kept) wait(execution, trade, waiting, fill.creatorFee);
  else {
    pay(associatedAccount(recipient, quote), fill.protocolFee - buybackFee);
    pay(coinCreatorVault(pool), fill.creatorFee);
  }
  return {
    ...before,
    buybackFee,
    feeRecipient: kept ? ZERO_ADDRESS : recipient,
    feeRecipientAccount: kept ? ZERO_ADDRESS : associatedAccount(recipient, quote),
  };
}

function wait({ bank }: Execution, { pool }: PoolTrade, waiting: bigint, creatorFee: bigint): void {
  const { creatorFees, unswept } = pool;
  bank.onRollback(() => {
    pool.unswept = unswept;
    pool.creatorFees = creatorFees;
  });
  pool.unswept += waiting;
  pool.creatorFees += creatorFee;
}
