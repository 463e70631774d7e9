import type { Address } from '../../chain/address.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../chain/well-known.ts';
import type { Attempt } from '../../facts/fact.ts';
import { BONDING_CURVE } from '../../facts/venue.ts';
import { errorName } from '../../programs/error-names.ts';
import { PUMP_PROGRAM } from '../../programs/pump/ids.ts';
import { PUMP_AMM_PROGRAM } from '../../programs/pump-amm/ids.ts';
import { NOT_MEASURED, shownBudget } from '../runtime/budget.ts';
import type { Failure } from '../runtime/execution.ts';
import type { Landing } from '../runtime/land.ts';
import type { Effect, Sight } from '../truth.ts';
import { payableTips, tipsOf } from './tips.ts';

const HELPERS: ReadonlySet<Address> = new Set([SYSTEM_PROGRAM, TOKEN_PROGRAM, TOKEN_2022_PROGRAM]);

/** The trades that a reverted transaction tried, one for each mint, as far as what was recorded shows them. */
export function attemptsOf(landing: Landing, sight: Sight): Effect<Attempt>[] {
  const { failure, fee } = landing.transaction.meta;
  if (failure === undefined) return [];
  const { plan, trades } = landing;
  const shared = {
    ...tipsOf(landing),
    ...outcomeOf(failure),
    feePayer: plan.payer.address,
    networkFee: fee,
    tipPayable: payableTips(landing),
    signatures: landing.transaction.message.requiredSignatures,
  };
  const budget = shownBudget(plan, landing.priorityFee, sight);
  const seen = new Set<Address>();
  const attempts: Effect<Attempt>[] = [];
  for (const { mint, venue, trader, isBuy, ixIndex, router } of trades) {
    if (seen.has(mint)) continue;
    seen.add(mint);
    attempts.push({
      ...shared,
      ixIndex,
      mint,
      venue,
      trader,
      isBuy,
      router,
      budget: venue === BONDING_CURVE ? budget : NOT_MEASURED,
    });
  }
  if (trades.length === 0 && landing.wanted !== undefined) {
    attempts.push({
      ...shared,
      ...landing.wanted,
      ixIndex: landing.callCount,
      trader: plan.payer.address,
      isBuy: undefined,
      budget: landing.wanted.venue === BONDING_CURVE ? budget : NOT_MEASURED,
    });
  }
  return attempts;
}

function outcomeOf(
  failure: NonNullable<Landing['transaction']['meta']['failure']>,
): Pick<Attempt, 'outcome' | 'why' | 'errorCode' | 'program'> {
  if (!('outer' in failure)) {
    return { outcome: 'failed_unknown', why: failure.kind, errorCode: undefined, program: undefined };
  }
  const why = failure.code === undefined ? failure.kind : (errorName(failure.program, failure.code) ?? '');
  const errorCode = failure.code;
  const venue = failedVenue(failure);
  if (venue !== undefined) return { outcome: 'rejected', why, errorCode, program: venue };
  const router = failure.callers.find((program) => !HELPERS.has(program));
  if (router === undefined) return { outcome: 'failed_unknown', why, errorCode, program: failure.program };
  return { outcome: 'self_abort', why, errorCode, program: router };
}

function failedVenue(failure: Failure): Address | undefined {
  return failure.callers.find((program) => program === PUMP_PROGRAM || program === PUMP_AMM_PROGRAM);
}
