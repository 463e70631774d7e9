import type { Address } from '../chain/address.ts';
import { isProtocolActor } from '../programs/registry/index.ts';
import { type AttemptedMint, attemptedMints } from './attempt-mints.ts';
import type { Attempt } from './fact.ts';
import { readFailure } from './failure.ts';
import { routerOf, topLevelRouter } from './router.ts';
import { payableTips } from './tips.ts';
import { type TransactionScope, UNMEASURED_BUDGET } from './transaction-scope.ts';
import { BONDING_CURVE } from './venue.ts';

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
  for (const attempted of mints) {
    const { mint, venue, isBuy, ixIndex } = attempted;
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
      trader: findTrader(scope, attempted),
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
      signatures: scope.signatures,
    });
  }
  rows.sort((a, b) => a.ixIndex - b.ixIndex);
  attempts.push(...rows);
}

/**
 * Finds who tried. A user that signed nothing is a router's address: nothing moved that could lead to its customer, so
 * that it is the signer whom the nearest caller of the venue names, one that holds the mint before others.
 */
function findTrader(scope: TransactionScope, { mint, user, ixIndex }: AttemptedMint): Address {
  if (user === undefined || ixIndex === undefined) return scope.feePayer;
  if (scope.hasSigned(user) || isProtocolActor(user)) return user;
  const { instructions, keys, signerCount, tokenBalances } = scope.transaction;
  let call = instructions[ixIndex];
  while (call !== undefined) {
    const signers = Array.from(call.accounts)
      .filter((account) => account < signerCount)
      .map((account) => keys.at(account));
    const holds = (owner: Address) => tokenBalances.some((held) => held.mint === mint && held.preOwner === owner);
    const signer = signers.find(holds) ?? signers[0];
    if (signer !== undefined) return signer;
    call = instructions[call.parent];
  }
  return scope.feePayer;
}
