import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactsMaker } from '../../../test/support/block-facts.ts';
import { openTestStore, type TestStore } from '../../../test/support/store.ts';
import { address } from '../../../test/support/token-world-rows.ts';
import type { Address } from '../../chain/address.ts';
import { readFundedBuyers } from './funded-buyer-reads.ts';
import { BUSY_DAY_SHARE, clusterByFunder } from './funding-rules.ts';

const EXCHANGE = 'FvLsZiM3g2ZnehkK42c4EoLASBdchKnqzxyAEmGhViZq' as Address;
const creator = address(10);
const crewHand = address(11);
const service = address(12);
const loner = address(13);
const crew = [address(20), address(21)];
const clients = [address(22), address(23)];
const traders = [address(24), address(25)];
const alone = address(26);
const friend = address(27);
const creatorsOwn = address(28);
const unfunded = address(29);
const buyers = [...crew, ...clients, ...traders, alone, friend, creatorsOwn, unfunded];
const MARK = 2 ** 32 - 1;

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore();
  const maker = createFactsMaker({ seed: 5 });
  const facts = maker.next();
  const others = Array.from({ length: 2 * BUSY_DAY_SHARE }, (_, place) => address(60 + place));
  const pairs: [Address, Address][] = [
    ...crew.map((wallet): [Address, Address] => [crewHand, wallet]),
    ...[...clients, ...others].map((wallet): [Address, Address] => [service, wallet]),
    ...traders.map((wallet): [Address, Address] => [EXCHANGE, wallet]),
    [loner, alone],
    [alone, friend],
    [creator, creatorsOwn],
  ];
  const { slot, time } = facts;
  const fundings = pairs.map(([funder, wallet], place) => ({
    ...{ slot, time, blockIndex: place, ixIndex: 1, signature: new Uint8Array(64).fill(place) },
    ...{ wallet, funder, amount: BigInt(1_000_000_000 + place), createdAccount: true },
  }));
  await test.store.writer.flush([maker.toBatch({ ...facts, fundings })]);
});
afterAll(() => test.close());

describe('buyers and who funded them', () => {
  it('are linked by whoever pays for few, by a buyer and by the creator, not by those who pay for many', async () => {
    const asked = buyers.map((wallet) => ({ wallet, slot: MARK }));
    const { buyers: read, context } = await readFundedBuyers(test.store.client, asked, creator, MARK);
    expect(read.find(({ wallet }) => wallet === unfunded)?.funder).toBeUndefined();
    const linked = clusterByFunder(read, context).map(({ funder, wallets }) => [funder, wallets]);
    expect(new Map(linked as [Address, Address[]][])).toEqual(
      new Map([
        [crewHand, crew],
        [alone, [alone, friend]],
        [creator, [creatorsOwn]],
      ]),
    );
    // Of whoever could link nobody, nothing is looked up; of the listed, nothing is counted.
    expect(context.profiles.has(loner)).toBe(false);
    expect(context.profiles.get(service)?.busiestDay).toBe(2 * BUSY_DAY_SHARE + 2);
    expect(context.profiles.get(EXCHANGE)).toMatchObject({ wallets: 0, label: expect.any(String) });
  });

  it('have no funder when that came after the first buy', async () => {
    const asked = buyers.map((wallet) => ({ wallet, slot: 1 }));
    const { buyers: read, context } = await readFundedBuyers(test.store.client, asked, creator, MARK);
    expect(read.every(({ funder }) => funder === undefined)).toBe(true);
    expect(clusterByFunder(read, context)).toEqual([]);
  });
});
