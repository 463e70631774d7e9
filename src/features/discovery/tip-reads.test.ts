import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFactsMaker } from '../../../test/support/block-facts.ts';
import { openTestStore, type TestStore } from '../../../test/support/store.ts';
import type { BlockFacts } from '../../facts/fact.ts';
import { TIP_PROVIDERS, tipProvider } from '../../programs/registry/index.ts';
import { byProvider } from '../../token/tip-providers.ts';
import { TIP_WINDOWS } from './contract-limits.ts';
import { readTips } from './tip-reads.ts';

/** A day and some hours, with edges of minutes between blocks, and blocks on them; the last two hours are denser. */
const BLOCKS = 400;
const SPARSE = 200;
const timeOf = (number: number) => START + Math.min(number, SPARSE) * 533 + Math.max(0, number - SPARSE) * 47;
const START = 1_790_000_007;

let test: TestStore;
const blocks: BlockFacts[] = [];
beforeAll(async () => {
  test = await openTestStore();
  const maker = createFactsMaker({ seed: 9, swapsPerBlock: 1 });
  const wallets = TIP_PROVIDERS.slice(0, 4).flatMap(({ accounts }) => accounts.slice(0, 2));
  for (let number = 0; number < BLOCKS; number += 1) {
    const facts = maker.next();
    const tipsByWallet = wallets
      .map(({ address }, place) => ({
        tipWallet: address,
        count: 2 + place,
        repeated: place % 2,
        lamports: BigInt(1 + number * 1_000 + place),
        paid: [],
      }))
      .sort((a, b) => (a.tipWallet < b.tipWallet ? -1 : 1));
    const time = timeOf(number);
    blocks.push({
      ...facts,
      time,
      swaps: [],
      transfers: [],
      created: [],
      economics: { ...facts.economics, tipsByWallet },
    });
  }
  await test.store.writer.flush(blocks.map((facts) => maker.toBatch(facts)));
});
afterAll(() => test?.close());

/** The same by going through the blocks. */
function counted(known: readonly BlockFacts[], from: number) {
  const sums = new Map<string, { count: bigint; lamports: bigint }>();
  for (const { economics } of known.filter(({ time }) => time >= from)) {
    for (const { tipWallet, count, repeated, lamports } of economics.tipsByWallet) {
      const sum = sums.get(tipProvider(tipWallet)!) ?? { count: 0n, lamports: 0n };
      sum.count += BigInt(count - repeated);
      sum.lamports += lamports;
      sums.set(tipProvider(tipWallet)!, sum);
    }
  }
  return sums;
}

it('tips of a window are those of its blocks, whatever part of a minute it begins and ends in', async () => {
  for (const newest of [0, 1, 14, 163, 164, 200, 238, 239, 277, 398]) {
    const { slot, time } = blocks[newest]!;
    for (const window of Object.values(TIP_WINDOWS)) {
      const begin = time - window.seconds;
      const from = window.toTheSecond ? begin : begin - (begin % 60);
      const found = await readTips(test.store.client, slot, window, time);
      expect(found?.from).toBe(from);
      const sums = byProvider(found!.wallets).map(({ provider, ...sum }) => [provider, sum] as const);
      expect(new Map(sums)).toEqual(counted(blocks.slice(0, newest + 1), from));
    }
  }
  expect(await readTips(test.store.client, blocks[0]!.slot - 1, TIP_WINDOWS['1h'], START)).toBeUndefined();
});
