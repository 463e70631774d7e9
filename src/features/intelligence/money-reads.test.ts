import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFactsMaker } from '../../../test/support/block-facts.ts';
import { DEV, intelligenceRows, position } from '../../../test/support/intelligence-rows.ts';
import { creationRow } from '../../../test/support/launch-script.ts';
import { openTestStore, type TestStore } from '../../../test/support/store.ts';
import { address } from '../../../test/support/token-world-rows.ts';
import type { Address } from '../../chain/address.ts';
import type { Funding } from '../../facts/fact.ts';
import { castOf } from './intelligence-rules.ts';
import { readMoney } from './money-reads.ts';
import { rolesOf } from './wallet-rules.ts';

const maker = createFactsMaker({ seed: 6 });
const mint = maker.mints[0]!;
const [puppet, customer] = [address(201), address(202)] as [Address, Address];

let test: TestStore;
let slot = 0;

beforeAll(async () => {
  test = await openTestStore();
  const facts = maker.next();
  slot = facts.slot;
  const own = (place: number) => new Uint8Array(64).fill(place);
  const buy = (trader: Address, at: number) => ({
    ...{ ...facts.swaps[0]!, mint, trader, isBuy: true, blockIndex: at, ixIndex: 3, signature: own(at) },
  });
  const fund = (wallet: Address, at: number): Funding => ({
    ...{ slot, time: facts.time, blockIndex: at, ixIndex: 0, signature: own(at), wallet, funder: DEV },
    ...{ amount: 1_000_000_000n, createdAccount: true },
  });
  const swaps = [buy(puppet, 8), buy(customer, 11)];
  const fundings = [fund(puppet, 5), fund(customer, 12)];
  await test.store.writer.flush([maker.toBatch({ ...facts, swaps, fundings, transfers: [] })]);
});
afterAll(() => test.close());

it('takes for paid by the creator only whom it funded at an earlier place than that of the first trade', async () => {
  const positions = [puppet, customer].map((wallet) => position(wallet, 10n, 0n, { first_slot: slot, slot }));
  const { holdings, facts } = intelligenceRows({ ownership: { positions } });
  const { fundings, clusters } = await readMoney(test.store.client, {
    ...{ mint, creation: { ...creationRow, creator: DEV, slot }, holdings, facts, mark: slot, mostBuyers: 10 },
  });
  const { cast } = castOf(facts, clusters, fundings);
  const roles = (wallet: Address) => rolesOf(wallet, holdings.walletBalances.get(wallet), cast, undefined);
  expect(roles(puppet)).toEqual(expect.arrayContaining(['funded_by_dev', 'shared_funder']));
  expect(roles(customer)).toEqual([]);
  expect(clusters).toMatchObject([{ funder: DEV, isDev: true, wallets: [puppet] }]);
});
