import { groupBy } from '../../../src/features/movements/group-by.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { ASKED, type Asked } from './asked.ts';
import { LEASE_OVER_MS } from './campaign-plans.ts';
import type { Scene } from './credits-run.ts';
import { asksOf, type OpenedCustomer, type SpendingKey } from './customers.ts';
import { call } from './http-call.ts';
import { stateFaults } from './ledger-faults.ts';
import { type LedgerState, readLedgerState } from './ledger-state.ts';
import type { ServerHandle } from './server-handle.ts';

/** Pools with so much at most are spent to their end. */
const SPENT_TO_THE_END = 600;
const TIMEOUT_MS = 5_000;
const LAST_LOAD_MS = 400;

/**
 * Faults at the end: every process must stop in order and leave no lease, every renewal must have come once, and the
 * rest of small pools must be spendable to the last credit, and no further.
 */
export async function endFaults(scene: Scene): Promise<string[]> {
  const { servers, database, customers, load, newcomers } = scene;
  const now = systemClock.now();
  await systemClock.sleep(LEASE_OVER_MS);
  // So that everybody has something in hand that has to be given back.
  load.resume();
  await systemClock.sleep(LAST_LOAD_MS);
  await load.close();
  await Promise.all(servers.map((server) => server.stop()));
  const stopped = await readLedgerState(database.accounts);
  const faults = [...stateFaults(stopped), ...(await openLeases(scene))];
  const [server] = servers as [ServerHandle];
  await server.start();
  for (const [poolId, [key]] of groupBy(scene.keys, (each) => each.poolId)) {
    const pool = stopped.pools.get(poolId)!;
    if (pool.balance <= SPENT_TO_THE_END) faults.push(...(await spendToTheEnd(scene, server, key!, pool.balance)));
  }
  await server.stop();
  const end = await readLedgerState(database.accounts);
  // Customers who asked for nothing are renewed by the sweep of a start.
  faults.push(...stateFaults(end), ...renewalFaults(customers, end, now), ...(await newcomers.faults()));
  for (const { id, leased } of end.pools.values()) {
    if (leased !== 0) faults.push(`pool ${id}: ${leased} are leased, and nobody runs`);
  }
  return faults;
}

/**
 * Leases that are still open: a process that stops in order gives back what it holds, and leases of killed ones have
 * ended.
 */
async function openLeases({ database }: Scene): Promise<string[]> {
  const open = await database.accounts.db
    .selectFrom('leases')
    .select(['pool_id', 'remaining'])
    .where('expires_at', '>', systemClock.now())
    .execute();
  return open.map(({ pool_id, remaining }) => `pool ${pool_id}: ${remaining} are leased, and everybody has stopped`);
}

/** Periods that ended within the run were renewed, and once. */
function renewalFaults(customers: readonly OpenedCustomer[], state: LedgerState, now: number): string[] {
  return customers.flatMap(({ generalPool, resetAt }) => {
    const renewals = state.pools.get(generalPool)?.entries.get('renewal')?.count ?? 0;
    const due = resetAt !== undefined && resetAt <= now ? 1 : 0;
    return renewals === due ? [] : [`pool ${generalPool}: renewed ${renewals} times, where ${due} is right`];
  });
}

/** Asks for one credit after the other, until it is refused: nothing of what is left may be stuck. */
async function spendToTheEnd(
  { plan }: Scene,
  { agent, port }: ServerHandle,
  key: SpendingKey,
  balance: number,
): Promise<string[]> {
  const asks = asksOf(plan, key);
  const asked: Asked = ASKED.find(({ name }) => name === (asks ?? 'snapshot'))!;
  const wanted = Math.floor(balance / asked.price);
  for (let paid = 0; ; paid += 1) {
    const headers = { 'x-api-key': key.text };
    const fate = await call({ agent, port: port!, path: asked.path, headers, timeoutMs: TIMEOUT_MS });
    if (fate.kind === 'answered' && fate.status === 200 && paid < wanted) continue;
    if (fate.kind === 'answered' && fate.status === 402 && paid === wanted) return [];
    return [
      `pool ${key.poolId}: of ${balance} credits ${paid} calls at ${asked.price} were paid, then ${JSON.stringify(fate)}`,
    ];
  }
}
