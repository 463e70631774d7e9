import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFactsMaker } from '../../test/support/block-facts.ts';
import { openTestStore, type TestStore } from '../../test/support/store.ts';
import type { Swap } from '../facts/fact.ts';
import type { Venue } from '../facts/venue.ts';
import { runStatement } from '../store/clickhouse/client.ts';
import { verifyStore } from '../store/clickhouse/verify/verify.ts';
import { MOST_SLOTS_READ, slotEconomics } from './slot-economics-reads.ts';
import { sumsBySlot } from './slot-sums.ts';

const FIRST_SLOT = 1_000_000;

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore();
});
afterAll(() => test?.close());

const slotOf = (at: number) => FIRST_SLOT + at;

it('tells each slot as memory does, tells skipped ones from those that are missing, and leaves out what is not summed up', async () => {
  const maker = createFactsMaker({ seed: 51, firstSlot: FIRST_SLOT });
  const facts = Array.from({ length: 8 }, () => maker.next());
  const [payer] = maker.traders;
  const quoteMint = maker.mints[1]!;
  let blockIndex = 0;
  /** A transaction whose fee stands on its first swap, at several venues. */
  const transaction = (signatures: number, ...venues: readonly Venue[]): Swap[] => {
    blockIndex += 1;
    return venues.map((venue, place): Swap => {
      const at = { blockIndex, ixIndex: place, venue, feePayer: payer!, tip: 100n, tipWallet: maker.traders[2] };
      const quote = venue === 2 ? { quoteMint, quoteDecimals: 6 } : { quoteMint: undefined };
      const amounts = { quoteAmount: 1_000n, fee: 10n, feeInToken: false, networkFee: place === 0 ? 16_000n : 0n };
      return { ...facts[0]!.swaps[0]!, ...at, ...quote, ...amounts, signatures };
    });
  };
  const swaps = [...transaction(1, 0), ...transaction(2, 1, 0), ...transaction(3, 2), ...transaction(0, 1)];
  const batches = [
    maker.toBatch({ ...facts[0]!, swaps }),
    maker.toBatch({ ...facts[1]!, swaps: [] }),
    // 2 and 3 are skipped, 5 is missing, of 6 there is a single transaction.
    maker.toBatch({ ...facts[4]!, parentSlot: slotOf(1) }),
    maker.toBatch({ ...facts[6]!, whole: false, parentSlot: 0 }),
    maker.toBatch(facts[7]!),
  ];
  await test.store.writer.flush(batches);
  const { client } = test.store;
  const rows = await slotEconomics(client, slotOf(-1), slotOf(8));
  const states = ['unknown', 'seen', 'seen', 'skipped', 'skipped', 'seen', 'unknown', 'unknown', 'seen', 'unknown'];
  expect(rows.map(({ state }) => state)).toEqual(states);
  expect(rows[1]).toEqual({
    ...{ slot: FIRST_SLOT, state: 'seen', swaps: 5, unmeasured: 1 },
    // 11,000 above one signature, 6,000 above two, 1,000 above three, and one that nobody told of.
    ...{ priorityFees: 29_000n, tips: 400n, fees: 40n, vol: 4_000n },
  });
  expect(rows[2]).toMatchObject({ swaps: 0, vol: 0n });
  for (const batch of batches) {
    for (const [slot, sums] of sumsBySlot(batch)) {
      expect(rows.find((row) => row.slot === slot)).toEqual({ slot, state: 'seen', ...sums });
    }
  }
  // As it stands while it is filled in, or where swaps were let go before.
  await runStatement(client, `DELETE FROM slot_economics WHERE slot = ${slotOf(4)}`);
  expect(await slotEconomics(client, slotOf(4), slotOf(4))).toMatchObject([{ state: 'unknown', swaps: 0 }]);
  expect((await verifyStore({ client })).mismatches.map(({ table }) => table)).toEqual(['slot_economics']);
  expect(await slotEconomics(client, 9, 8)).toEqual([]);
  await expect(slotEconomics(client, 1, MOST_SLOTS_READ + 1)).rejects.toThrow(RangeError);
});
