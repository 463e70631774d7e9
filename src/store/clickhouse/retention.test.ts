import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactsMaker } from '../../../test/support/block-facts.ts';
import { openTestStore, type TestStore } from '../../../test/support/store.ts';
import { silentLogger } from '../../kernel/log.ts';
import { VARIABLES } from '../../settings.ts';
import { runStatement } from './client.ts';
import { applyRetention, RETAINED_TABLES, readRetention, readTimesToLive, readWholeSince } from './retention.ts';
import { verifyStore } from './verify/verify.ts';
import { joinBatches } from './write/flush-batches.ts';
import { insertFlush } from './write/flush-insert.ts';
import { readSlotIndex } from './write/slot-index.ts';

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

  it('let sums by router go to the minute, and take no late block of that time for one that is lacking', async () => {
    const { client, writer } = test.store;
    const now = Math.floor(Date.now() / 1_000);
    const makers = [
      createFactsMaker({ seed: 11, firstSlot: 31_000_000, firstTime: now - OLD_DAYS * DAY_S }),
      createFactsMaker({ seed: 12, firstSlot: 41_000_000, firstTime: now - DAY_S }),
    ] as const;
    const batches = makers.map((maker) => Array.from({ length: 12 }, () => maker.nextBatch()));
    await keep('routers=8d');
    await writer.flush(batches[0]!.slice(0, 6));
    await writer.flush(batches[1]!);
    const tables = ['router_minutes', 'router_reverts', 'router_traders'];
    for (const table of tables) await runStatement(client, `OPTIMIZE TABLE ${table} FINAL`);
    const cut = `toDateTime(${now - 8 * DAY_S}, 'UTC')`;
    expect(await count(`router_minutes WHERE minute < ${cut}`)).toBe(0);
    expect(await count(`router_traders WHERE hour < ${cut}`)).toBe(0);
    expect(await count(`router_minutes WHERE minute > ${cut}`)).toBeGreaterThan(0);
    expect(await count('swaps WHERE slot BETWEEN 31000000 AND 32000000')).toBeGreaterThan(0);

    const flush = joinBatches(batches[0]!.slice(6))[0]!;
    const target = { client, slotIndex: await readSlotIndex(client), assertLease: () => {} };
    await insertFlush(target, flush, true);
    const found = await readWholeSince(client);
    for (const table of tables) expect(found.has(table)).toBe(true);
    expect(found.get('router_minutes')).toBe((Math.floor(now / DAY_S) - 7) * DAY_S);
    const ofRouters = ({ table }: { readonly table: string }) => tables.includes(table);
    expect((await verifyStore(test.store)).mismatches.filter(ofRouters)).toEqual([]);
  });
});
