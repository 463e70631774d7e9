import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactsMaker } from '../../../test/support/block-facts.ts';
import { movementAnswersAt } from '../../../test/support/movement-answers.ts';
import { openTestStore, type TestStore } from '../../../test/support/store.ts';
import { address } from '../../../test/support/token-world-rows.ts';
import type { Address } from '../../chain/address.ts';
import { systemClock } from '../../kernel/clock.ts';
import { runStatement } from '../../store/clickhouse/client.ts';
import { readTradersElsewhere, readWindowBuyers, readWindowCustomers } from './sends-reads.ts';

const START = 1_760_000_000;
/** Behind every slot of a test. */
const END = 2 ** 32 - 1;
const NOW = START + 600;
/** One more than are looked at. */
const FLOOD = 5_001;
const STRANGERS = Array.from({ length: 8 }, (_, place) => address(300 + place));
const maker = createFactsMaker({ seed: 61, firstTime: START, mints: 4 });
const [flooded, quiet, crowded, charged] = maker.mints as [Address, Address, Address, Address];
const giver = address(299);
const bots = [address(290), address(291)] as const;
const platform = address(292);
const CUSTOMERS = Array.from({ length: 5 }, (_, place) => address(320 + place));

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore();
  const gifts = block(STRANGERS.map((to) => ({ from: giver, to, hidden: false })));
  const between = (hidden: boolean) =>
    Array.from({ length: FLOOD }, (_, i) => ({ from: bots[i % 2]!, to: bots[(i + 1) % 2]!, hidden }));
  const flood = block(between(true));
  const crowd = block([...between(false), ...between(true)], crowded);
  const shares = CUSTOMERS.map((from) => ({ from, to: platform, hidden: true }));
  const mules = STRANGERS.slice(0, 6).map((to) => ({ from: CUSTOMERS[0]!, to, hidden: true }));
  const fees = [buys(CUSTOMERS, charged), block([...shares, ...mules], charged)];
  await test.store.writer.flush([gifts, flood, crowd, ...fees].map((facts) => maker.toBatch(facts)));
});
afterAll(() => test.close());

function block(
  sends: readonly { readonly from: Address; readonly to: Address; readonly hidden: boolean }[],
  mint = flooded,
) {
  const facts = maker.next();
  const transfers = sends.map((send, place) => ({
    ...{ slot: facts.slot, time: facts.time, blockIndex: place, ixIndex: 1, signature: new Uint8Array(64).fill(place) },
    ...{ ...send, mint, amount: 7n, decimals: 6, ambiguous: false },
  }));
  return { ...facts, swaps: [], attempts: [], transfers };
}

/** A block in which wallets buy so much that 7 raw units are a platform's share of it. */
function buys(traders: readonly Address[], mint: Address) {
  const facts = maker.next();
  const swap = { ...facts.swaps[0]!, mint, isBuy: true, protocolActor: false, tokenAmount: 350n };
  const swaps = traders.map((trader, place) => ({ ...swap, trader, blockIndex: place }));
  return { ...facts, swaps, attempts: [], transfers: [] };
}

async function ask(mint: Address, window: '24h' | '7d' = '24h') {
  return JSON.parse(String(await movementAnswersAt(test.store.client, NOW).sends(mint, window)));
}

describe('sends inside trades', () => {
  it('are looked at beside as many others', async () => {
    const body = await ask(crowded);
    expect(body).toMatchObject({ sends: FLOOD - 1, hidden: { sends: FLOOD - 1 }, partial: true });
  });

  it('push no others out of the window, however many bots make', async () => {
    const body = await ask(flooded);
    expect(body).toMatchObject({ sends: 8, receivers: 8, partial: true });
    expect(body.distributors).toMatchObject([{ wallet: giver, receivers: 8 }]);
    // The newest of them are all that are judged beside the others.
    expect(body.hidden).toMatchObject({ sends: FLOOD - 1, receivers: 2 });
    expect(body).toMatchObject({ verdict: 'manufactured_holders', flagged: true });
  });

  it('are told without the shares of a platform that many who trade feed, and with all else that one of these gives', async () => {
    const body = await ask(charged);
    // One customer feeds seven, and is worth a seventh of the others: four and a bit are too few.
    expect(body.hidden).toMatchObject({ sends: 11, receivers: 7 });
    const more = [buys([address(330)], charged), block([{ from: address(330), to: platform, hidden: true }], charged)];
    await test.store.writer.flush(more.map((facts) => maker.toBatch(facts)));
    expect(await ask(charged)).toMatchObject({
      ...{ hidden: { sends: 6, receivers: 6 }, left_out: 0 },
      ...{ verdict: 'manufactured_holders', flagged: true },
    });
  });

  it('are shares of what was traded up to the slot of the answer, and not of what came behind it', async () => {
    const { client, writer } = test.store;
    const then = block([]);
    await writer.flush([maker.toBatch(then)]);
    const asked = { mint: charged, mark: then.slot, since: 0, limit: 100 };
    const feed = { committedSlot: END };
    const known = async () => [...(await readWindowCustomers(client, asked, { feed, clock: systemClock }))];
    const before = await known();
    expect(before).toContainEqual([CUSTOMERS[0], 350n]);
    await writer.flush([buys(CUSTOMERS, charged), buys(CUSTOMERS, charged)].map((facts) => maker.toBatch(facts)));
    expect(await known()).toEqual(before);
    const later = await readWindowCustomers(client, { ...asked, mark: END }, { feed, clock: systemClock });
    expect(later.get(CUSTOMERS[0]!)).toBe(1_050n);
  });

  it('went to wallets of which what came behind the slot of the answer is not known', async () => {
    const { client, writer } = test.store;
    const [early, late, seller, older] = [340, 341, 342, 343].map(address) as [Address, Address, Address, Address];
    const wallets = [early, late, seller, older];
    const sold = (facts: ReturnType<typeof buys>) => ({
      ...facts,
      swaps: facts.swaps.map((swap) => ({ ...swap, isBuy: false })),
    });
    const before = [
      block(wallets.map((to) => ({ from: giver, to, hidden: false }))),
      buys([early], flooded),
      sold(buys([early, seller], flooded)),
      buys([older], quiet),
    ];
    await writer.flush(before.map((facts) => maker.toBatch(facts)));
    const mark = before.at(-1)!.slot;
    const settled = { feed: { committedSlot: END }, clock: systemClock };
    const known = async (until: number) => {
      const asked = { mint: flooded, mark: until, since: 0, limit: 10_000 };
      const buyers = await readWindowBuyers(client, asked, settled);
      const elsewhere = await readTradersElsewhere(client, asked, wallets);
      return [wallets.filter((each) => buyers.has(each)), wallets.filter((each) => elsewhere.has(each))];
    };
    const then = [[early], [older]];
    expect(await known(mark)).toEqual(then);
    const behind = [buys([early, late, seller], flooded), buys([late, older], charged)];
    await writer.flush(behind.map((facts) => maker.toBatch(facts)));
    expect(await known(mark)).toEqual(then);
    expect(await known(END)).toEqual([
      [early, late, seller],
      [late, older],
    ]);
  });

  it('are not said to be missing in a store that always told them', async () => {
    expect((await ask(quiet)).headline).not.toContain('only a part is known');
  });

  it('are not known of what was stored before they were told', async () => {
    const older = `INSERT INTO migrations (name, checksum, applied_at)
      SELECT 'before', '', now() - INTERVAL 1 DAY`;
    await runStatement(test.store.client, older);
    const applied = (await test.store.client.query({
      query: `SELECT toUInt32(applied_at) AS at FROM migrations WHERE name = '0041_fact_all_hidden_moves'`,
      format: 'JSONEachRow',
    })) as { json(): Promise<{ at: number }[]> };
    const [{ at } = { at: 0 }] = await applied.json();
    const body = await ask(quiet);
    expect(body).toMatchObject({
      partial: true,
      covered_since: new Date(at * 1000).toISOString().replace('.000Z', 'Z'),
    });
    expect(body.headline).toContain('of which only a part is known');
  });
});
