import type { Kysely } from 'kysely';
import type { AccountsSchema } from '../../src/store/accounts-db/schema.ts';
import type { KeyCost } from './fuzz-client.ts';
import type { World, WorldAccount } from './world.ts';

/** Looked at, once the service has stopped and written what it had in hand. */
export interface CreditRows {
  readonly faults: readonly string[];
  /** Credits that the usage of the run's keys adds up to. */
  readonly charged: number;
}

const NOTHING: KeyCost = { told: 0, untold: 0, byRoute: new Map() };

/** Charged is what answers said, to the credit; each balance is the sum of its ledger, and nothing is left in hand. */
export async function readCreditRows(
  db: Kysely<AccountsSchema>,
  accounts: readonly WorldAccount[],
  costs: ReadonlyMap<string, KeyCost>,
): Promise<CreditRows> {
  const faults: string[] = [];
  const usage = await db.selectFrom('usage').select(['key_id', 'route', 'credits']).execute();
  const byKey = new Map<number, number>();
  for (const { key_id, credits } of usage) byKey.set(key_id, (byKey.get(key_id) ?? 0) + credits);
  let charged = 0;
  for (const { id, text } of accounts.flatMap(({ keys }) => keys)) {
    const { told, untold, byRoute } = costs.get(text) ?? NOTHING;
    const taken = byKey.get(id) ?? 0;
    charged += taken;
    if (taken >= told && taken <= told + untold) continue;
    const routes = usage.filter((row) => row.key_id === id && row.credits !== (byRoute.get(row.route) ?? 0));
    const shown = routes.map(({ route, credits }) => `${route} ${credits}, told ${byRoute.get(route) ?? 0}`);
    faults.push(`key ${id} was charged ${taken}, and told ${told}: ${shown.join('; ')}`);
  }
  const entries = await db.selectFrom('ledger').select(['pool_id', 'amount']).execute();
  const sums = new Map<number, number>();
  for (const { pool_id, amount } of entries) sums.set(pool_id, (sums.get(pool_id) ?? 0) + amount);
  for (const { id, balance, leased } of await db.selectFrom('pools').select(['id', 'balance', 'leased']).execute()) {
    const sum = sums.get(id) ?? 0;
    if (balance !== sum) faults.push(`pool ${id} holds ${balance}, its ledger says ${sum}`);
    if (balance < 0 || leased !== 0) faults.push(`pool ${id} holds ${balance}, of which ${leased} are still in hand`);
  }
  return { faults, charged };
}

export function allAccounts({ owners, payers, ...single }: World): readonly WorldAccount[] {
  return [...Object.values(single), ...owners, ...payers];
}
