import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFactsMaker } from '../../../../test/support/block-facts.ts';
import { openTestStore, type TestStore } from '../../../../test/support/store.ts';
import type { Swap } from '../../../facts/fact.ts';
import type { Venue } from '../../../facts/venue.ts';
import { readJson } from '../client.ts';

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore();
});
afterAll(() => test?.close());

const NO_BUDGET = { cuPrice: 0n, cuLimit: 0, priorityFee: 0n, source: 0 } as const;

it('fees and tips count a transaction once, at the launchpad and its AMM where any of its swaps is there', async () => {
  const maker = createFactsMaker({ seed: 41 });
  const facts = maker.next();
  const [payer] = maker.traders;
  let blockIndex = 0;
  /** A transaction with a swap at each venue; its fee stands on the first, its budget on those of a curve. */
  const transaction = (...venues: readonly Venue[]): Swap[] => {
    blockIndex += 1;
    return venues.map((venue, place): Swap => {
      const budget = venue === 0 ? { ...NO_BUDGET, priorityFee: 1_000n } : NO_BUDGET;
      const networkFee = place === 0 ? 6_000n : 0n;
      const amounts = { fee: 10n, creatorFee: 3n, feeInToken: false, quoteMint: undefined };
      const at = { blockIndex, ixIndex: place, venue, feePayer: payer!, tip: 100n, tipWallet: maker.traders[2] };
      return { ...facts.swaps[0]!, ...at, ...amounts, budget, networkFee };
    });
  };
  const swaps = [
    ...transaction(0),
    ...transaction(0, 0),
    ...transaction(1, 0),
    ...transaction(2, 1),
    ...transaction(2, 0, 2),
    ...transaction(1),
    ...transaction(2),
  ];
  await test.store.writer.flush([maker.toBatch({ ...facts, swaps })]);
  const fees = await readJson(
    test.store.client,
    `SELECT venue, toUInt32(sum(fee_minutes.swaps)) AS swaps, toUInt32(sum(fees)) AS fees,
       toUInt32(sum(priority_fees)) AS priority, toUInt32(sum(tip_swaps)) AS tipping
     FROM fee_minutes GROUP BY venue ORDER BY venue`,
  );
  expect(fees).toEqual([
    { venue: 0, swaps: 5, fees: 50, priority: 4_000, tipping: 5 },
    { venue: 1, swaps: 3, fees: 30, priority: 0, tipping: 3 },
    { venue: 2, swaps: 4, fees: 40, priority: 0, tipping: 4 },
  ]);
  const tippers = 'SELECT toUInt32(sum(transactions)) AS count, toUInt32(sum(lamports)) AS tips FROM tipper_hours';
  expect(await readJson(test.store.client, tippers)).toEqual([{ count: 6, tips: 600 }]);
});
