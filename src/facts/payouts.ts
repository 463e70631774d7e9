import type { Address } from '../chain/address.ts';
import type { ProgramEvent } from '../programs/program-event.ts';
import { readVenueInstruction } from '../programs/venue-instruction.ts';
import type { FeePayout } from './fact.ts';
import { quoteOf } from './quotes.ts';
import type { TransactionScope } from './transaction-scope.ts';

/** Value of a sweep's `bucket` for the creator's part; 0 is the protocol's. */
const CREATOR_BUCKET = 1;

type Payout = Pick<FeePayout, 'mint' | 'recipient' | 'quoteMint' | 'amount' | 'kind'>;

/**
 * The payout of fees charged earlier that an event tells. Movements between the
 * programs' own vaults are none. A distribution is told as one payout from the
 * account that shares it, as the event does not tell the shares in units.
 */
export function findPayout(scope: TransactionScope, event: ProgramEvent): FeePayout | undefined {
  const payout =
    event.program === 'pump'
      ? fromCurve(scope, event)
      : event.program === 'pump_amm'
        ? fromPool(scope, event)
        : undefined;
  return payout && { ...scope.base(event.ixIndex), ...payout };
}

function fromCurve(scope: TransactionScope, event: ProgramEvent & { program: 'pump' }): Payout | undefined {
  switch (event.name) {
    case 'SweepBondingCurveFeeEvent': {
      const { mint, recipient, quoteMint, amount, bucket } = event.data;
      return { mint, recipient, quoteMint: quoteOf(quoteMint), amount, kind: sweepKind(bucket) };
    }
    case 'CollectCreatorFeeEvent': {
      const { creator, quoteMint, creatorFee } = event.data;
      return {
        mint: undefined,
        recipient: creator,
        quoteMint: quoteOf(quoteMint),
        amount: creatorFee,
        kind: 'creator',
      };
    }
    case 'DistributeCreatorFeesEvent': {
      const { mint, sharingConfig, quoteMint, distributed } = event.data;
      return { mint, recipient: sharingConfig, quoteMint: quoteOf(quoteMint), amount: distributed, kind: 'creator' };
    }
    case 'DistributeFeeToHoldersEvent': {
      const { mint, quoteMint, total } = event.data;
      const source = callAccount(scope, event.callIndex, 'holderRewards') ?? mint;
      return { mint, recipient: source, quoteMint: quoteOf(quoteMint), amount: total, kind: 'holders' };
    }
    case 'ClaimCashbackEvent':
      return cashback(scope, event.callIndex, event.data.user, event.data.amount);
  }
  return undefined;
}

function fromPool(scope: TransactionScope, event: ProgramEvent & { program: 'pump_amm' }): Payout | undefined {
  switch (event.name) {
    case 'SweepPoolFeeEvent': {
      const { baseMint, recipient, quoteMint, amount, bucket } = event.data;
      return { mint: baseMint, recipient, quoteMint: quoteOf(quoteMint), amount, kind: sweepKind(bucket) };
    }
    case 'CollectCoinCreatorFeeEvent': {
      const { coinCreator, coinCreatorFee } = event.data;
      const quoteMint = quoteOf(callAccount(scope, event.callIndex, 'quoteMint'));
      return { mint: undefined, recipient: coinCreator, quoteMint, amount: coinCreatorFee, kind: 'creator' };
    }
    case 'ClaimCashbackEvent':
      return cashback(scope, event.callIndex, event.data.user, event.data.amount);
  }
  return undefined;
}

function cashback(scope: TransactionScope, callIndex: number, recipient: Address, amount: bigint): Payout {
  const quoteMint = quoteOf(callAccount(scope, callIndex, 'quoteMint'));
  return { mint: undefined, recipient, quoteMint, amount, kind: 'cashback' };
}

function sweepKind(bucket: number): FeePayout['kind'] {
  return bucket === CREATOR_BUCKET ? 'creator' : 'protocol';
}

function callAccount(
  scope: TransactionScope,
  callIndex: number,
  name: 'quoteMint' | 'holderRewards',
): Address | undefined {
  const call = scope.transaction.instructions[callIndex];
  return call && readVenueInstruction(scope.transaction, call)?.account(name);
}
