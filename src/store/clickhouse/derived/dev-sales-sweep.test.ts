import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFactsMaker } from '../../../../test/support/block-facts.ts';
import { spreadSwaps } from '../../../../test/support/spread-swaps.ts';
import { openTestStore, type TestStore } from '../../../../test/support/store.ts';
import { readJson, runStatement, type StoreClient } from '../client.ts';
import { createSweep } from './sweep.ts';
import { DEV_SALES_SWEEP } from './swept-tables.ts';

const FIRST_SLOT = 1_000;

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore();
});
afterAll(() => test.close());

it('sweeps up sales by creators with a look at the tokens that were traded around its slots, not at all of a part', async () => {
  const [slots, slotsOfMint, stepSlots] = [400_000, 1_000, 4_000];
  const { client, writer } = test.store;
  const maker = createFactsMaker({ seed: 41, firstSlot: FIRST_SLOT, swapsPerBlock: 1 });
  const facts = maker.next();
  const swaps = facts.swaps.map((swap) => ({ ...swap, isBuy: false }));
  await writer.flush([maker.toBatch({ ...facts, swaps })]);
  await spreadSwaps(client, { slots, slotsOfMint });
  await runStatement(client, `INSERT INTO coverage VALUES (${FIRST_SLOT + 1}, ${FIRST_SLOT + slots})`);
  // Their seller has made every other token.
  await runStatement(
    client,
    `INSERT INTO token_creations (mint, creator, slot)
     SELECT mint, any(trader), max(slot) FROM swaps GROUP BY mint HAVING min(slot) % 2000 < 1000`,
  );
  let read = 0;
  const counted: StoreClient = new Proxy(client, {
    get(target, name, receiver) {
      if (name !== 'command') return Reflect.get(target, name, receiver);
      return async (command: Parameters<StoreClient['command']>[0]) => {
        const answer = await target.command(command);
        if (command.query.startsWith('INSERT INTO dev_sales')) read = Number(answer.summary?.read_rows);
        return answer;
      };
    },
  });
  const sweep = await createSweep(counted, DEV_SALES_SWEEP);
  const range = await sweep.step(stepSlots);
  expect(range).toEqual({ first: FIRST_SLOT + slots - stepSlots + 1, last: FIRST_SLOT + slots });
  const [sales] = await readJson<{ n: string }>(client, 'SELECT count() AS n FROM dev_sales');
  const [made] = await readJson<{ n: string }>(
    client,
    `SELECT count() AS n FROM swaps WHERE slot BETWEEN ${range!.first} AND ${range!.last}
       AND mint IN (SELECT mint FROM token_creations)`,
  );
  expect(sales).toEqual(made);
  expect(Number(sales!.n)).toBeGreaterThan(stepSlots / 4);
  // Of each of its tokens the granules that it begins and ends in, looked at several times.
  expect(read).toBeLessThan(slots / 2);
});
