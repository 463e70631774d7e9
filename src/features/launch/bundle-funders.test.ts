import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactsMaker } from '../../../test/support/block-facts.ts';
import {
  CREATED_SLOT,
  CREATOR,
  creationRow,
  LAUNCH_MINT,
  landed,
  leg,
  rowsOf,
} from '../../../test/support/launch-script.ts';
import { openTestStore, type TestStore } from '../../../test/support/store.ts';
import { address } from '../../../test/support/token-world-rows.ts';
import type { Address } from '../../chain/address.ts';
import type { Funding, Swap } from '../../facts/fact.ts';
import { type BuyersQuestion, readFundedBuyers } from '../movements/funded-buyer-reads.ts';
import { createBundleFunders } from './bundle-funders.ts';
import { analyseLaunch } from './launch-rules.ts';

const EXCHANGE = 'FvLsZiM3g2ZnehkK42c4EoLASBdchKnqzxyAEmGhViZq' as Address;
const hand = address(90);
const [ann, ben, cid, dan, eve, fay, mate] = [31, 32, 33, 34, 35, 36, 37].map(address) as Address[] as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
];
/** Four pairs next to each other, with others' transactions between the pairs. */
const SWAPS = rowsOf([
  ...[ann, ben].map((wallet, place) => landed(0, 50 + place, leg(wallet))),
  ...[cid, dan].map((wallet, place) => landed(0, 60 + place, leg(wallet))),
  ...[eve, fay].map((wallet, place) => landed(0, 70 + place, leg(wallet))),
  ...[CREATOR, mate].map((wallet, place) => landed(1, 80 + place, leg(wallet))),
]).swaps;
const clock = { now: () => 0, elapsed: () => 0, sleep: () => new Promise<void>(() => {}) };

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore();
  const maker = createFactsMaker({ seed: 9, firstSlot: CREATED_SLOT });
  const {
    time,
    swaps: [pattern],
    ...facts
  } = maker.next();
  const base = (at: number) => ({
    slot: CREATED_SLOT,
    blockIndex: at,
    ixIndex: 0,
    time,
    signature: new Uint8Array(64).fill(at),
  });
  const fund = (funder: Address, wallet: Address, at: number): Funding => ({
    ...{ ...base(at), wallet, funder, amount: BigInt(1_000_000_000 + at), createdAccount: true },
  });
  const fundings = [
    ...[fund(hand, ann, 10), fund(hand, ben, 11)],
    ...[fund(EXCHANGE, cid, 12), fund(EXCHANGE, dan, 13)],
    // Paid behind their buys, in the same slot.
    ...[fund(hand, eve, 72), fund(hand, fay, 73)],
    fund(CREATOR, mate, 14),
  ];
  const swaps = SWAPS.filter(({ slot }) => slot === CREATED_SLOT).map(
    ({ trader, block_index }): Swap => ({ ...pattern!, ...base(block_index), mint: LAUNCH_MINT, trader, isBuy: true }),
  );
  await test.store.writer.flush([maker.toBatch({ ...facts, time, created: [], transfers: [], swaps, fundings })]);
});
afterAll(() => test?.close());

function open(store = { committed: CREATED_SLOT + 1 }) {
  const asked: BuyersQuestion[] = [];
  const funders = createBundleFunders({
    clock,
    committedSlot: () => store.committed,
    readBuyers: (question) => {
      asked.push(question);
      return readFundedBuyers(test.store.client, question);
    },
  });
  return { funders, asked };
}

describe('funders of the buyers of bundles', () => {
  it('tie those together whom one hand paid for before they bought, the creator too, and no clients of an exchange', async () => {
    const { funders } = open();
    const launch = { mint: LAUNCH_MINT, creation: creationRow, swaps: SWAPS };
    const { haveOneFunder, key, isSettled } = await funders.of(launch);
    const { bundles } = analyseLaunch({ ...launch, supply: undefined, haveOneFunder });
    expect(bundles.map(({ evidence }) => evidence)).toEqual(['one_funder', 'adjacent', 'adjacent', 'one_funder']);
    expect([key, isSettled]).toEqual(['1001', true]);
  });

  it('are asked for where bundles stand next to each other by nothing stronger, and once for all who ask', async () => {
    const { funders, asked } = open();
    const loners = { mint: LAUNCH_MINT, creation: creationRow, swaps: SWAPS.slice(0, 1) };
    expect((await funders.of(loners)).key).toBe('');
    const paid = SWAPS.slice(0, 2).map((swap) => ({ ...swap, fee_payer: hand }));
    expect((await funders.of({ ...loners, mint: address(12), swaps: paid })).key).toBe('');
    expect(asked).toEqual([]);
    await Promise.all([0, 1].map(() => funders.of({ ...loners, swaps: SWAPS })));
    expect(asked.map(({ wallets }) => wallets.length)).toEqual([8]);
  });

  it('are not settled while the store lacks blocks of the swaps', async () => {
    const store = { committed: CREATED_SLOT };
    const { funders, asked } = open(store);
    const launch = { mint: LAUNCH_MINT, creation: creationRow, swaps: SWAPS };
    expect((await funders.of(launch)).isSettled).toBe(false);
    // Kept for as long as the store has nothing new, and not a moment longer.
    await funders.of(launch);
    expect(asked.length).toBe(1);
    store.committed += 1;
    expect((await funders.of(launch)).isSettled).toBe(true);
    expect(asked.length).toBe(2);
  });
});
