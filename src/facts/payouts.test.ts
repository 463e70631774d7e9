import { describe, expect, it } from 'vitest';
import {
  buildBlock,
  type CallSpec,
  eventCall,
  someAddress,
  venueCall,
} from '../../test/support/transaction-builder.ts';
import { WSOL_MINT, ZERO_ADDRESS } from '../chain/address.ts';
import { failingJournal } from '../kernel/journal.ts';
import { deriveFacts } from './derive.ts';
import type { BlockFacts } from './fact.ts';

const mint = someAddress();
const user = someAddress();
const timestamp = 1_770_000_000n;

function derive(...calls: CallSpec[]): BlockFacts {
  return deriveFacts(buildBlock([{ signers: [user], calls }]), failingJournal);
}

const published = (event: CallSpec): CallSpec => venueCall('pump', 'set_creator', { creator: user }, {}, [event]);

describe('a payout', () => {
  it('is a sweep, a collection, a claim or a distribution, and no fee of any swap', () => {
    const recipient = someAddress();
    const sweep = { timestamp, mint, bondingCurve: someAddress(), quoteMint: ZERO_ADDRESS, recipient, amount: 5n };
    const claim = { user: recipient, amount: 7n, timestamp, totalClaimed: 7n, totalCashbackEarned: 7n };
    const facts = derive(
      published(eventCall('pump', 'SweepBondingCurveFeeEvent', { ...sweep, bucket: 0 })),
      published(eventCall('pump', 'SweepBondingCurveFeeEvent', { ...sweep, bucket: 1 })),
      published(eventCall('pump', 'CollectCreatorFeeEvent', { timestamp, creator: recipient, creatorFee: 6n })),
      venueCall('pump_amm', 'claim_cashback', {}, { quoteMint: WSOL_MINT }, [
        eventCall('pump_amm', 'ClaimCashbackEvent', claim),
      ]),
    );
    expect(facts.payouts.map(({ kind, amount, mint: of }) => [kind, amount, of])).toEqual([
      ['protocol', 5n, mint],
      ['creator', 5n, mint],
      ['creator', 6n, undefined],
      ['cashback', 7n, undefined],
    ]);
    expect(facts.payouts.every((payout) => payout.recipient === recipient && payout.quoteMint === undefined)).toBe(
      true,
    );
    expect(facts.swaps).toEqual([]);
  });

  it('of a pool, to holders or by a sharing account tells whom it came to and of which coin', () => {
    const recipient = someAddress();
    const sharingConfig = someAddress();
    const holderRewards = someAddress();
    const swept = { timestamp, pool: someAddress(), baseMint: mint, quoteMint: WSOL_MINT, recipient, payer: user };
    const shared = { timestamp, mint, bondingCurve: someAddress(), sharingConfig, admin: user, shareholders: [] };
    const facts = derive(
      published(eventCall('pump_amm', 'SweepPoolFeeEvent', { ...swept, amount: 3n, bucket: 0 })),
      published(eventCall('pump_amm', 'SweepPoolFeeEvent', { ...swept, amount: 4n, bucket: 1 })),
      published(eventCall('pump', 'DistributeCreatorFeesEvent', { ...shared, distributed: 8n })),
      venueCall('pump_amm', 'collect_coin_creator_fee', {}, { quoteMint: WSOL_MINT }, [
        eventCall('pump_amm', 'CollectCoinCreatorFeeEvent', {
          timestamp,
          coinCreator: recipient,
          coinCreatorFee: 9n,
          coinCreatorVaultAta: someAddress(),
          coinCreatorTokenAccount: someAddress(),
        }),
      ]),
      venueCall('pump', 'distribute_fee_to_holders', { amounts: [4n, 6n] }, { holderRewards }, [
        eventCall('pump', 'DistributeFeeToHoldersEvent', {
          timestamp,
          mint,
          quoteMint: ZERO_ADDRESS,
          recipients: 2n,
          total: 10n,
        }),
      ]),
    );
    expect(facts.payouts.map(({ kind, recipient: to, mint: of, amount }) => [kind, to, of, amount])).toEqual([
      ['protocol', recipient, mint, 3n],
      ['creator', recipient, mint, 4n],
      ['creator', sharingConfig, mint, 8n],
      ['creator', recipient, undefined, 9n],
      ['holders', holderRewards, mint, 10n],
    ]);
    expect(facts.payouts.every(({ quoteMint }) => quoteMint === undefined)).toBe(true);
  });
});
