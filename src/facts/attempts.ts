import { chargedSignatures } from '../chain/compute-budget.ts';
import { attemptedMints } from './attempt-mints.ts';
import type { Attempt } from './fact.ts';
import { readFailure } from './failure.ts';
import { routerOf, topLevelRouter } from './router.ts';
import { payableTips } from './tips.ts';
import { type TransactionScope, UNMEASURED_BUDGET } from './transaction-scope.ts';
import { BONDING_CURVE } from './venue.ts';

/** As many as a row counts; nobody signs for as much. */
const MAX_SIGNATURES = 255;

/**
 * The attempts of a reverted transaction, one for each mint it tried to trade.
 * Nothing of the transaction happened but its fee, which every row tells whole.
 */
export function attemptsOf(scope: TransactionScope, attempts: Attempt[]): void {
  const { transaction, slot, blockIndex, time, signature, tips, feePayer } = scope;
  const mints = attemptedMints(transaction);
  if (mints.length === 0) return;
  const failure = readFailure(transaction);
  const tipPayable = payableTips(transaction, scope.lamportTransfers);
  let nextIndex = transaction.instructions.length;
  let lastIndex: number | undefined;
  const rows: Attempt[] = [];
  for (const { mint, venue, isBuy, user, ixIndex } of mints) {
    // The hops of one instruction come in a row, and only one row can have its place.
    const hasPlace = ixIndex !== undefined && ixIndex !== lastIndex;
    lastIndex = ixIndex;
    rows.push({
      slot,
      blockIndex,
      ixIndex: hasPlace ? ixIndex : nextIndex++,
      time,
      signature,
      mint,
      venue,
      trader: user ?? feePayer,
      isBuy,
      outcome: failure.outcome,
      why: failure.why,
      errorCode: failure.errorCode,
      program: failure.program,
      router: ixIndex === undefined ? topLevelRouter(transaction) : routerOf(transaction, ixIndex),
      feePayer,
      tip: tips.total,
      tipPayable,
      tipWallet: tips.wallet,
      budget: venue === BONDING_CURVE ? scope.budget : UNMEASURED_BUDGET,
      networkFee: transaction.fee,
      signatures: Math.min(chargedSignatures(transaction), MAX_SIGNATURES),
    });
  }
  rows.sort((a, b) => a.ixIndex - b.ixIndex);
  attempts.push(...rows);
}
