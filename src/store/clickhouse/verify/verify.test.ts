import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactsMaker } from '../../../../test/support/block-facts.ts';
import { openTestStore, type TestStore } from '../../../../test/support/store.ts';
import type { Address } from '../../../chain/address.ts';
import type { Attempt, BlockFacts, Funding } from '../../../facts/fact.ts';
import { runStatement } from '../client.ts';
import { createSweep } from '../derived/sweep.ts';
import { SWEPT_TABLES } from '../derived/swept-tables.ts';
import { verifyStore } from './verify.ts';
import { verifyWallets } from './verify-wallets.ts';

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore();
  const maker = createFactsMaker({ seed: 11, swapsPerBlock: 30 });
  const first = maker.next();
  // Of the mint that the next slot creates.
  const attempts = [attemptOn(first, maker.mints[1]!)];
  await test.store.writer.flush([maker.toBatch({ ...first, attempts, fundings: [fundingIn(first)] })]);
  for (let flush = 0; flush < 4; flush++) {
    await test.store.writer.flush(Array.from({ length: 10 }, () => maker.nextBatch()));
  }
  for (const table of SWEPT_TABLES) await (await createSweep(test.store.client, table)).step();
});
afterAll(() => test.close());

function attemptOn({ slot, time, swaps }: BlockFacts, mint: Address): Attempt {
  const { trader, feePayer, budget, signature } = swaps[0]!;
  return {
    ...{ slot, blockIndex: 900, ixIndex: 2, time, signature, mint, venue: 0, trader, isBuy: true, feePayer, budget },
    ...{ outcome: 'rejected', why: 'AccountNotInitialized', errorCode: 3012, program: undefined, router: undefined },
    ...{ tip: 0n, tipPayable: 0n, tipWallet: undefined, networkFee: 5_000n, signatures: 1 },
  };
}

function fundingIn({ slot, time, swaps }: BlockFacts): Funding {
  const { trader, feePayer, signature } = swaps[0]!;
  const place = { slot, blockIndex: 901, ixIndex: 1, time, signature };
  return { ...place, wallet: trader, funder: feePayer, amount: 1_000_000_000n, createdAccount: true };
}

/** Plants a fault, looks whether it is seen in that table, and takes it out again. */
async function seenIn(plant: string, undo: string): Promise<string[]> {
  await runStatement(test.store.client, plant);
  const { mismatches } = await verifyStore(test.store);
  await runStatement(test.store.client, undo);
  return [...new Set(mismatches.map(({ table }) => table))];
}

describe('verifying a store', () => {
  it('finds a sound store sound, having looked at every derived table', async () => {
    const report = await verifyStore(test.store);
    expect(report.mismatches).toEqual([]);
    expect(report.doubledSlots).toBe(0);
    for (const [table, rows] of Object.entries(report.checked))
      expect({ table, checked: rows > 0 }).toEqual({ table, checked: true });
    expect(Object.keys(report.checked)).toHaveLength(28);
  });

  it('counts slots that are stored twice, whichever table has them, each once', async () => {
    const { client } = test.store;
    const answer = await client.query({ query: 'SELECT min(slot) AS first FROM blocks', format: 'JSONEachRow' });
    const [{ first } = { first: 0 }] = await answer.json<{ first: number }>();
    await runStatement(client, 'CREATE TABLE blocks_before AS blocks');
    await runStatement(client, 'CREATE TABLE fundings_before AS fundings');
    for (const table of ['blocks', 'fundings'])
      await runStatement(client, `INSERT INTO ${table}_before SELECT * FROM ${table}`);
    await runStatement(client, `INSERT INTO blocks SELECT * FROM blocks WHERE slot IN (${first}, ${first + 1})`);
    await runStatement(client, `INSERT INTO fundings SELECT * FROM fundings WHERE slot = ${first}`);
    const report = await verifyStore(test.store);
    for (const table of ['blocks', 'fundings']) {
      await runStatement(client, `EXCHANGE TABLES ${table} AND ${table}_before`);
      await runStatement(client, `DROP TABLE ${table}_before SYNC`);
    }
    expect(report.doubledSlots).toBe(2);
    const twice = report.mismatches.filter(({ problem }) => problem.startsWith('stored twice'));
    expect(twice.map(({ table, row }) => `${table} ${row.slot}`)).toEqual([
      `blocks ${first}`,
      `blocks ${first + 1}`,
      `fundings ${first}`,
    ]);
    expect((await verifyStore(test.store)).mismatches).toEqual([]);
  });

  it('sees a position that is not the fold of its swaps, and says in what', async () => {
    const { client } = test.store;
    const values = 'REPLACE (realized_pnl_more + 1 AS realized_pnl_more)';
    await runStatement(
      client,
      `INSERT INTO positions SELECT * ${values} FROM positions FINAL ORDER BY trader, mint LIMIT 1`,
    );
    const { mismatches } = await verifyStore(test.store);
    const found = mismatches.filter(({ table }) => table === 'positions');
    expect(found).toHaveLength(1);
    expect(found[0]!.problem).toMatch(/^realized_pnl is -?\d+, the fold gives -?\d+$/);
    const back = 'REPLACE (realized_pnl_more - 1 AS realized_pnl_more)';
    await runStatement(
      client,
      `INSERT INTO positions SELECT * ${back} FROM positions FINAL ORDER BY trader, mint LIMIT 1`,
    );
    expect((await verifyStore(test.store)).mismatches).toEqual([]);
  });

  it('sees a position that no swap made', async () => {
    const stranger = "REPLACE (toFixedString('nobody', 32) AS trader)";
    const seen = await seenIn(
      `INSERT INTO positions SELECT * ${stranger} FROM positions FINAL ORDER BY trader, mint LIMIT 1`,
      "DELETE FROM positions WHERE trader = toFixedString('nobody', 32)",
    );
    expect(seen).toContain('positions');
  });

  it('sees a holding that is not the fold of trades and movements, and passes over one that says it was cut', async () => {
    const { client } = test.store;
    const one = (values: string) => `INSERT INTO holdings SELECT * REPLACE (${values}) FROM holdings FINAL
      ORDER BY wallet, mint LIMIT 1`;
    await runStatement(client, one('balance + 1 AS balance'));
    const { mismatches } = await verifyStore(test.store);
    expect(mismatches.map(({ table }) => table)).toEqual(['holdings']);
    expect(mismatches[0]!.problem).toMatch(/^balance is -?\d+, the fold gives -?\d+$/);
    await runStatement(client, one('false AS whole'));
    expect((await verifyStore(test.store)).mismatches).toEqual([]);
    await runStatement(client, one('balance - 1 AS balance, true AS whole'));
    expect((await verifyStore(test.store)).mismatches).toEqual([]);
  });

  it('sees the same of tokens with more wallets than are held at a time, and looks at each row once', async () => {
    const { client } = test.store;
    const check = (maxWallets?: number) => verifyWallets(client, { swaps: 0, movements: 0 }, () => true, maxWallets);
    const whole = await check();
    expect(whole.positions.mismatches).toEqual([]);
    expect(await check(12)).toEqual(whole);
    const last = 'FROM positions FINAL ORDER BY trader DESC, mint LIMIT 1';
    await runStatement(client, `INSERT INTO positions SELECT * REPLACE (sells + 1 AS sells) ${last}`);
    const stranger = "REPLACE (toFixedString('nobody', 32) AS trader)";
    await runStatement(client, `INSERT INTO positions SELECT * ${stranger} FROM positions FINAL LIMIT 1`);
    const [seen, inParts] = [await check(), await check(12)];
    expect(seen.positions.mismatches).toHaveLength(2);
    const byProblem = (found: typeof seen) => found.positions.mismatches.map(({ problem }) => problem).sort();
    expect([inParts.positions.checked, byProblem(inParts)]).toEqual([seen.positions.checked, byProblem(seen)]);
    await runStatement(client, "DELETE FROM positions WHERE trader = toFixedString('nobody', 32)");
    await runStatement(client, `INSERT INTO positions SELECT * REPLACE (sells - 1 AS sells) ${last}`);
    expect(await check(12)).toEqual(whole);
  });

  it('sees a price that is off in its last digit, but in a store whose prices had other ones once', async () => {
    const { client } = test.store;
    const off =
      'INSERT INTO candles SELECT * REPLACE (high * (1 + 3e-16) AS high, 0 AS volume, 0 AS trades) FROM candles FINAL';
    const seen = await seenIn(
      `${off} ORDER BY mint, seconds, bucket LIMIT 1`,
      'INSERT INTO migrations SELECT * REPLACE (applied_at - INTERVAL 1 DAY AS applied_at) FROM migrations LIMIT 1',
    );
    expect(seen).toEqual(['candles']);
    expect((await verifyStore(test.store)).mismatches).toEqual([]);
    await runStatement(client, `${off.replace('1 + 3e-16', '1 + 3e-6')} ORDER BY mint, seconds, bucket LIMIT 1`);
    expect((await verifyStore(test.store)).mismatches.length).toBeGreaterThan(0);
  });

  it('sees a candle that counted a batch twice', async () => {
    const seen = await seenIn(
      'INSERT INTO candles SELECT * REPLACE (toUInt64(1) AS trades) FROM candles FINAL ORDER BY mint, seconds, bucket LIMIT 1',
      'SELECT 1',
    );
    expect(seen).toEqual(['candles']);
  });

  it('sees a copy that lost rows', async () => {
    const { client } = test.store;
    await runStatement(client, 'DELETE FROM transfers_by_wallet WHERE slot % 7 = 0');
    const { mismatches } = await verifyStore(test.store);
    const lost = mismatches.filter(({ table }) => table === 'transfers_by_wallet');
    expect(lost.length).toBeGreaterThan(0);
    expect(lost[0]!.problem).toBe('the facts say so, the table does not');
  });
});
