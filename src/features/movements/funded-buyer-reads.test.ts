import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactsMaker } from '../../../test/support/block-facts.ts';
import { creationRow } from '../../../test/support/launch-script.ts';
import { openTestStore, type TestStore } from '../../../test/support/store.ts';
import { address } from '../../../test/support/token-world-rows.ts';
import type { Address } from '../../chain/address.ts';
import type { Funding } from '../../facts/fact.ts';
import { FUNDING_LOOKUPS } from '../../store/clickhouse/schema/background-tables.ts';
import type { TokenCreationRow } from '../../store/clickhouse/schema/tables.ts';
import { appendRows } from '../../store/clickhouse/write/append-rows.ts';
import { type BuyersQuestion, readFundedBuyers } from './funded-buyer-reads.ts';
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
const maker = createFactsMaker({ seed: 5 });
const mint = maker.mints[0]!;

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore();
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

function question(wallets: BuyersQuestion['wallets'], created: Partial<TokenCreationRow> = {}): BuyersQuestion {
  const launch = { ...creationRow, creator, slot: MARK, ...created };
  return { mint, wallets, creation: launch, mark: MARK };
}

describe('buyers and who funded them', () => {
  it('are linked by whoever pays for few, by a buyer and by the creator, not by those who pay for many', async () => {
    const asked = buyers.map((wallet) => ({ wallet, slot: MARK }));
    const { buyers: read, context } = await readFundedBuyers(test.store.client, question(asked));
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
    const { buyers: read, context } = await readFundedBuyers(test.store.client, question(asked));
    expect(read.every(({ funder }) => funder === undefined)).toBe(true);
    expect(clusterByFunder(read, context)).toEqual([]);
  });
});

describe('a funding in the slot of the first buy', () => {
  const seller = address(200);
  const [paid, customer, atOnce, afterwards, unsure] = [201, 202, 203, 204, 205].map(address) as [
    Address,
    Address,
    Address,
    Address,
    Address,
  ];
  const own = (place: number) => new Uint8Array(64).fill(place);
  let slot = 0;

  beforeAll(async () => {
    const facts = maker.next();
    slot = facts.slot;
    const buy = (trader: Address, blockIndex: number, ixIndex: number) => {
      const signature = own(100 + blockIndex);
      return { ...facts.swaps[0]!, mint, trader, isBuy: true, blockIndex, ixIndex, signature };
    };
    const fund = (wallet: Address, blockIndex: number, ixIndex: number): Funding => ({
      ...{ slot, time: facts.time, blockIndex, ixIndex, signature: own(100 + blockIndex), wallet },
      ...{ funder: seller, amount: 1_000_000_000n, createdAccount: true },
    });
    const swaps = [buy(paid, 8, 3), buy(customer, 11, 3), buy(atOnce, 15, 6), buy(afterwards, 16, 3)];
    const fundings = [fund(paid, 5, 0), fund(customer, 12, 0), fund(atOnce, 15, 1), fund(afterwards, 16, 9)];
    // Single transactions of the same slot: where they stood in it nobody knows.
    const single = { ...facts, whole: false, swaps: [buy(unsure, 1, 3)], fundings: [fund(unsure, 0, 0)] };
    await test.store.writer.flush([maker.toBatch({ ...facts, swaps, fundings, transfers: [] })]);
    await test.store.writer.flush([maker.toBatch({ ...single, slot, transfers: [], created: [] })]);
  });

  it('paid for it when it has the earlier place, in an earlier transaction or in the same one', async () => {
    const asked = [paid, customer, atOnce, afterwards, unsure].map((wallet) => ({ wallet, slot }));
    const { buyers: read } = await readFundedBuyers(test.store.client, question(asked, { creator: seller }));
    expect(read.filter(({ funder }) => funder === seller).map(({ wallet }) => wallet)).toEqual([paid, atOnce]);
  });

  it('is of unknown order where it was looked up: nodes tell no place in the block', async () => {
    const wallets = [206, 207, 208].map((seed) => address(seed));
    const [sameSlot, earlier, together] = wallets as [Address, Address, Address];
    const facts = maker.next();
    const buy = (trader: Address, blockIndex: number) => {
      const signature = own(50 + blockIndex);
      return { ...facts.swaps[0]!, mint, trader, isBuy: true, blockIndex, ixIndex: 3, signature };
    };
    const swaps = wallets.map((wallet, place) => buy(wallet, 20 + place));
    await test.store.writer.flush([maker.toBatch({ ...facts, swaps, fundings: [], transfers: [] })]);
    const look = (wallet: Address, lookedSlot: number, signature: Uint8Array) => ({
      ...{ wallet, slot: lookedSlot, time: facts.time, checked_at: facts.time, retry_at: 0, outcome: '', found: true },
      ...{ signature: Buffer.from(signature), ix_index: 1, funder: seller, amount: 5n },
    });
    await appendRows(test.store.client, FUNDING_LOOKUPS, [
      look(sameSlot, facts.slot, own(1)),
      look(earlier, facts.slot - 1, own(1)),
      look(together, facts.slot, own(72)),
    ]);
    const asked = wallets.map((wallet) => ({ wallet, slot: facts.slot }));
    const { buyers: read } = await readFundedBuyers(test.store.client, { ...question(asked), mark: facts.slot });
    expect(read.map(({ funder }) => funder)).toEqual([undefined, seller, seller]);
  });

  it('makes nobody the puppet of a developer who pays behind the buys', async () => {
    const asked = [customer, afterwards].map((wallet) => ({ wallet, slot }));
    const { buyers: read, context } = await readFundedBuyers(test.store.client, question(asked, { creator: seller }));
    expect(clusterByFunder(read, context)).toEqual([]);
  });

  it('of the creator stands behind the launch only when it has the earlier place', async () => {
    const behind = (block_index: number) => question([], { creator: customer, slot, block_index });
    expect((await readFundedBuyers(test.store.client, behind(11))).context.creatorFunder).toBeUndefined();
    expect((await readFundedBuyers(test.store.client, behind(13))).context.creatorFunder).toBe(seller);
  });
});
