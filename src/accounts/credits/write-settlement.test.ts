import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ENGINES, type TestAccounts } from '../../../test/support/accounts-engines.ts';
import { type CreditWorld, createCreditWorld } from '../../../test/support/credit-world.ts';
import type { AccountsDatabase } from '../../store/accounts-db/accounts-db.ts';
import { LEASE_TIMES } from './lease-rules.ts';
import type { PoolItem } from './settlement.ts';
import { writeSettlement } from './write-settlement.ts';

const HOUR = Date.UTC(2026, 10, 23, 9);
const NOW = HOUR + 60_000;
const ROUTES = ['GET /tokens/{mint}', 'GET /tokens/{mint}/swaps'];

describe.each(ENGINES)('settlements of many pools on $engine', ({ open, engine }) => {
  let accounts: TestAccounts;
  let world: CreditWorld;
  let number = 0;
  beforeEach(async () => {
    accounts = await open();
    world = createCreditWorld(accounts);
    number = 0;
  });
  afterEach(() => accounts.close());

  /** So many accounts with a pool and a key each. */
  async function customers(count: number): Promise<readonly PoolItem[]> {
    const items: PoolItem[] = [];
    for (let index = 0; index < count; index += 1) {
      const { poolId, accountId, id } = await world.principalOf(await world.addKey(await world.addAccount(80_000)));
      const demand = { debit: 6, reserved: 0, inHand: 0, gather: false, needs: [], holds: true };
      const usage = ROUTES.map((route, place) => ({
        accountId,
        keyId: id,
        route,
        hour: HOUR,
        calls: 1,
        credits: 2 + 2 * place,
      }));
      items.push({
        poolId,
        accountId,
        payment: 'leased',
        leaseId: `lease ${poolId}`,
        demand,
        usage,
        renews: true,
      });
    }
    return items;
  }

  async function write(items: readonly PoolItem[], database: AccountsDatabase = accounts) {
    number += 1;
    const settlement = { holder: 'a process', number, items, leaseTimes: LEASE_TIMES, at: NOW, since: 0 };
    return writeSettlement(database, settlement, NOW);
  }

  it('charges each pool, and counts each call, once', async () => {
    const items = await customers(21);
    await write(items);
    await write(items.slice(3));
    const usage = await accounts.db.selectFrom('usage').select(['route', 'calls', 'credits']).execute();
    expect(usage).toHaveLength(42);
    const sumOf = (name: 'calls' | 'credits') => usage.reduce((sum, row) => sum + row[name], 0);
    expect([sumOf('calls'), sumOf('credits')]).toEqual([78, 234]);
    const pools = await accounts.db.selectFrom('pools').select(['id', 'balance']).orderBy('id').execute();
    expect(pools.map(({ balance }) => balance)).toEqual(items.map((_, index) => (index < 3 ? 79_994 : 79_988)));
    expect(await world.faults()).toEqual([]);
  });

  it('adds up a key that has calls in two pools', async () => {
    const [first, second] = await customers(2);
    if (first === undefined || second === undefined) throw new Error('there are two');
    await write([first, { ...second, accountId: first.accountId, usage: first.usage }]);
    const usage = await accounts.db.selectFrom('usage').select(['account_id', 'route', 'calls', 'credits']).execute();
    expect(usage.sort((a, b) => a.credits - b.credits)).toEqual([
      { account_id: first.accountId, route: ROUTES[0], calls: 2, credits: 4 },
      { account_id: first.accountId, route: ROUTES[1], calls: 2, credits: 8 },
    ]);
  });

  it.runIf(engine === 'sqlite')('prepares a statement for few numbers of pools, not for each', async () => {
    const items = await customers(24);
    const prepare = vi.spyOn(Database.prototype, 'prepare');
    for (let count = 1; count <= items.length; count += 1) await write(items.slice(0, count));
    // Seven statements, most of them in the lengths 1, 2, 4, 8, 16 and 32.
    expect(prepare.mock.calls.length).toBeLessThanOrEqual(7 * 6);
    prepare.mockClear();
    for (let count = 1; count <= items.length; count += 1) await write(items.slice(0, count));
    expect(prepare).not.toHaveBeenCalled();
    prepare.mockRestore();
  });
});
