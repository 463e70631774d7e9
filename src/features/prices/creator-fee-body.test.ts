import { describe, expect, it } from 'vitest';
import { answerFaults } from '../../../test/support/answer-schema.ts';
import { address } from '../../../test/support/token-world-rows.ts';
import type { Address } from '../../chain/address.ts';
import type { TokenState } from '../../token/state.ts';
import { getCreatorFees } from './contract.ts';
import { creatorFeesBody } from './creator-fee-body.ts';
import type { CreatorFeeFacts, EarnedFeesRow } from './creator-fee-reads.ts';

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
const MINT = address(1);
const FIRST = address(7);
const SECOND = address(8);
const TIME = Date.UTC(2026, 7, 1, 10) / 1000;

const token: TokenState = {
  mint: MINT,
  creation: undefined,
  completion: undefined,
  graduation: undefined,
  creatorChange: { slot: 10, block_index: 1, ix_index: 1, time: TIME, creator: SECOND },
  lastSwap: undefined,
  lastPriced: undefined,
};

const earned = (more: Partial<EarnedFeesRow>): EarnedFeesRow => ({
  ...{ quote_mint: '', fee_in_token: false, fee_creator: FIRST, quote_decimals: 9, earned: 0n, swaps: 1 },
  ...more,
});

function body(facts: Partial<CreatorFeeFacts>) {
  const answer = creatorFeesBody(token, { earned: [], paid: [], changes: [], ...facts });
  const parsed = JSON.parse(answer.toString());
  expect(answerFaults(getCreatorFees, parsed)).toEqual([]);
  return parsed;
}

describe('creator fees', () => {
  it('are empty lists of a token that charged none, which says nothing of what it charged before the data', () => {
    expect(body({})).toEqual({
      ...{ mint: MINT, fee_creator: SECOND, data: [], recipients: [], changes: [], partial: true },
    });
  });

  it('are summed by unit, and by earner within it, SOL and the largest first', () => {
    const answer = body({
      earned: [
        earned({ quote_mint: USDC, quote_decimals: 6, earned: 10n ** 12n, swaps: 3 }),
        earned({ earned: 500n, swaps: 4 }),
        earned({ fee_creator: SECOND, earned: 700n, swaps: 2 }),
        earned({ fee_creator: '', earned: 1n }),
        // Inverted pools, whatever their quotes: the unit is the token.
        earned({ fee_in_token: true, earned: 30n }),
        earned({ fee_in_token: true, quote_mint: USDC, quote_decimals: 6, earned: 12n }),
      ],
      paid: [{ quote_mint: '', recipient: SECOND, paid: 600n, payouts: 2, last_time: TIME }],
    });
    const usdc = { quote_mint: USDC, quote_symbol: 'USDC', quote_decimals: 6 };
    expect(answer.data).toEqual([
      { earned: '1201', swaps: 7, paid: '600', payouts: 2, last_paid_at: '2026-08-01T10:00:00Z' },
      { ...usdc, earned: '1000000000000', swaps: 3, paid: '0', payouts: 0 },
      { fee_mint: MINT, earned: '42', swaps: 2, paid: '0', payouts: 0 },
    ]);
    expect(answer.recipients).toEqual([
      { wallet: SECOND, earned: '700', paid: '600' },
      { wallet: FIRST, earned: '500', paid: '0' },
      { wallet: FIRST, ...usdc, earned: '1000000000000', paid: '0' },
      { wallet: FIRST, fee_mint: MINT, earned: '42', paid: '0' },
    ]);
  });

  it('tell who earned them when', () => {
    const changes = [
      { slot: 10, time: TIME, previous: FIRST, creator: SECOND, reason: 'migrate_creator' },
      { slot: 5, time: 0, previous: '' as const, creator: FIRST, reason: 'set_creator' },
    ];
    expect(body({ changes }).changes).toEqual([
      {
        ...{ time: '2026-08-01T10:00:00Z', slot: 10, previous: FIRST, fee_creator: SECOND },
        reason: 'migrate_creator',
      },
      { slot: 5, fee_creator: FIRST, reason: 'set_creator' },
    ]);
  });
});
