import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactsMaker } from '../../../test/support/block-facts.ts';
import { openTestStore, type TestStore } from '../../../test/support/store.ts';
import { silentLogger } from '../../kernel/log.ts';
import { VARIABLES } from '../../settings.ts';
import { runStatement } from './client.ts';
import { applyRetention, RETAINED_TABLES, readRetention, readTimesToLive, readWholeSince } from './retention.ts';
import { verifyStore } from './verify/verify.ts';

const DAY_S = 86_400;
const OLD_DAYS = 40;

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore();
});
afterAll(() => test.close());

async function count(table: string): Promise<number> {
  const answer = await test.store.client.query({ query: `SELECT count() AS n FROM ${table}`, format: 'JSONEachRow' });
  return Number((await answer.json<{ n: string }>())[0]?.n);
}

const keep = (text: string) => applyRetention(test.store.client, readRetention(text), silentLogger);

describe('times to live', () => {
  it('are read from a list of names and days, and anything else is refused', () => {
    expect(readRetention('attempts=14d,transfers=30d')).toEqual(
      new Map([
        ['attempts', 14],
        ['transfers', 30],
      ]),
    );
    expect(readRetention('forever')).toEqual(new Map());
    for (const wrong of ['', 'positions=3d', 'swaps', 'swaps=0d', 'swaps=3', 'swaps=36500d']) {
      expect(() => readRetention(wrong)).toThrow(RangeError);
    }
  });

  it('can be set for everything that the configuration takes, and its default is one of them', () => {
    const { schema, default: fallback } = VARIABLES.retention;
    const pattern = new RegExp(String(Reflect.get(schema, 'pattern')));
    for (const name of Object.keys(RETAINED_TABLES)) expect(`${name}=3d`).toMatch(pattern);
    expect('forever').toMatch(pattern);
    for (const wrong of ['positions=3d', 'swaps=36500d']) expect(wrong).not.toMatch(pattern);
    expect(readRetention(fallback).has('swaps')).toBe(false);
  });

  it('are put on tables where they changed, and taken off', async () => {
    await keep('transfers=30d,attempts=14d');
    const both = new Map([
      ['attempts', 14],
      ['transfers', 30],
      ['transfers_by_wallet', 30],
    ]);
    expect(await readTimesToLive(test.store.client)).toEqual(both);
    await keep('transfers=7d');
    expect(await readTimesToLive(test.store.client)).toEqual(
      new Map([
        ['transfers', 7],
        ['transfers_by_wallet', 7],
      ]),
    );
    await keep('forever');
    expect(await readTimesToLive(test.store.client)).toEqual(new Map());
  });

  it('are whole since as when they were shortest: what was let go does not come back', async () => {
    await runStatement(test.store.client, 'TRUNCATE TABLE let_go');
    expect(await readWholeSince(test.store.client)).toEqual(new Map());
    const tables = ['fundings', 'fundings_by_funder'];
    const told = async () => new Map((await readWholeSince(test.store.client)).entries());
    await keep('fundings=9d');
    const nine = await told();
    expect([...nine.keys()].sort()).toEqual(tables);
    await keep('fundings=90d');
    expect(await told()).toEqual(nine);
    await keep('fundings=40d');
    expect(await told()).toEqual(nine);
    await keep('fundings=3d');
    const three = await told();
    for (const table of tables) expect(three.get(table)).toBe(nine.get(table)! + 6 * DAY_S);
    await keep('forever');
    expect(await readTimesToLive(test.store.client)).toEqual(new Map());
    expect(await told()).toEqual(three);
    await runStatement(test.store.client, 'TRUNCATE TABLE let_go');
  });

  it('let old rows go and nothing that was folded from them, and a sound store is found sound', async () => {
    const { client, writer } = test.store;
    const now = Math.floor(Date.now() / 1_000);
    const old = createFactsMaker({ seed: 3, firstSlot: 1_000, firstTime: now - OLD_DAYS * DAY_S });
    // Far enough to be in other partitions; the same wallets go on, so that positions reach over the cut.
    const fresh = createFactsMaker({ seed: 5, firstSlot: 20_000_000, firstTime: now - DAY_S });
    await writer.flush(Array.from({ length: 12 }, () => old.nextBatch()));
    await writer.flush(Array.from({ length: 12 }, () => fresh.nextBatch()));
    const before = {
      swaps: await count('swaps'),
      positions: await count('positions FINAL'),
      minutes: await count('mint_minutes'),
    };
    expect((await verifyStore(test.store)).mismatches).toEqual([]);

    await keep('swaps=30d,transfers=30d');
    for (const table of ['swaps', 'swaps_by_trader', 'transfers', 'transfers_by_wallet']) {
      await runStatement(client, `OPTIMIZE TABLE ${table} FINAL`);
    }
    expect(await count('swaps')).toBe(before.swaps / 2);
    expect([await count('transfers'), await count('transfers_by_wallet')]).toEqual([12, 24]);
    expect(await count('positions FINAL')).toBe(before.positions);
    expect(await count('mint_minutes')).toBe(before.minutes);
    const report = await verifyStore(test.store);
    expect(report.mismatches).toEqual([]);
    expect(report.checked.swaps_by_trader).toBe(before.swaps / 2);
  });

  it('do not hide what is wrong with what is left', async () => {
    await runStatement(test.store.client, 'DELETE FROM swaps_by_trader WHERE slot = 20000003');
    await runStatement(
      test.store.client,
      'INSERT INTO positions SELECT * REPLACE (buys + 1 AS buys) FROM positions FINAL ORDER BY version DESC LIMIT 1',
    );
    const tables = (await verifyStore(test.store)).mismatches.map(({ table }) => table);
    expect(tables).toContain('swaps_by_trader');
    expect(tables.filter((table) => table === 'positions')).toHaveLength(1);
  });
});
