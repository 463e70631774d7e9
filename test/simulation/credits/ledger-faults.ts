import type { LedgerKind } from '../../../src/store/accounts-db/schema.ts';
import type { TallyInterval } from './call-tally.ts';
import { chargedTo, gained, type LedgerState, type PoolState } from './ledger-state.ts';

/** Faults of the credits in the database by itself, at any moment, in full flow too. */
export function stateFaults({ pools, usage }: LedgerState): string[] {
  const faults: string[] = [];
  for (const pool of pools.values()) faults.push(...poolFaults(pool));
  const used = sumBy(usage.values(), ({ accountId, credits }) => [accountId, credits]);
  const charged = sumBy(pools.values(), (pool) => [pool.accountId, chargedTo(pool)]);
  for (const accountId of new Set([...used.keys(), ...charged.keys()])) {
    const [says, is] = [used.get(accountId) ?? 0, charged.get(accountId) ?? 0];
    if (says !== is) faults.push(`account ${accountId}: usage says ${says} credits, the ledger charged ${is}`);
  }
  return faults;
}

function poolFaults(pool: PoolState): string[] {
  const { id, balance, leased, inHand, entries } = pool;
  const faults: string[] = [];
  const all = gained(pool, ...entries.keys());
  if (balance < 0) faults.push(`pool ${id}: the balance is ${balance}`);
  if (all !== balance) faults.push(`pool ${id}: the ledger adds up to ${all}, the balance is ${balance}`);
  if (leased < 0 || leased > balance) faults.push(`pool ${id}: ${leased} are leased of ${balance}`);
  if (inHand !== leased) faults.push(`pool ${id}: ${leased} are leased, and its leases hold ${inHand}`);
  if ((entries.get('calls')?.largest ?? 0) > 0) faults.push(`pool ${id}: calls added to it`);
  if ((entries.get('trial')?.count ?? 0) > 1) faults.push(`pool ${id}: its trial was granted more than once`);
  return faults;
}

/** The time between two states that were read while nothing was under way and everything was written. */
export interface Interval {
  readonly before: LedgerState;
  readonly after: LedgerState;
  readonly tally: TallyInterval;
  /** Told, but charged to nobody, as far as that may happen: the operator's loss. By account. */
  readonly mayBeLost: ReadonlyMap<number, number>;
}

/** Kinds of entries by which credits come and go besides calls. */
const GRANTS: readonly LedgerKind[] = ['trial', 'renewal', 'expiry', 'grant', 'correction', 'budget', 'budget_return'];

/**
 * Differences between the ledger and the customer's own account of the same calls. By account: credits that a pool does
 * not have any more are taken from the account's others.
 */
export function intervalFaults({ before, after, tally, mayBeLost }: Interval): string[] {
  const faults: string[] = [];
  const accounts = accountSums({ before, after, tally });
  for (const [id, { told, unheard, charged }] of accounts) {
    const lost = mayBeLost.get(id) ?? 0;
    const said = `account ${id}: ${charged} charged, ${told} told`;
    if (charged > told + unheard) faults.push(`${said} and at most ${unheard} unheard: the customer lost`);
    if (charged < told - lost) faults.push(`${said}, and only ${lost} may be lost: given away`);
  }
  for (const id of new Set([...before.pools.keys(), ...after.pools.keys()])) {
    faults.push(...balanceFaults(id, before.pools.get(id), after.pools.get(id)));
  }
  for (const [keyId, { settled, unheardCalls }] of tally.byKey) {
    const calls = (after.usage.get(keyId)?.calls ?? 0) - (before.usage.get(keyId)?.calls ?? 0);
    if (calls > settled + unheardCalls) {
      faults.push(`key ${keyId}: usage counts ${calls} calls of ${settled} answered and ${unheardCalls} unheard`);
    }
  }
  return faults;
}

export interface AccountSums {
  readonly told: number;
  readonly unheard: number;
  readonly charged: number;
}

/** Credits that every account was told and charged in an interval. */
export function accountSums({ before, after, tally }: Omit<Interval, 'mayBeLost'>): ReadonlyMap<number, AccountSums> {
  const accountOf = (poolId: number) => (after.pools.get(poolId) ?? before.pools.get(poolId))?.accountId ?? 0;
  const keys = [...tally.byKey.values()];
  const told = sumBy(keys, (key) => [accountOf(key.poolId), key.told]);
  const unheard = sumBy(keys, (key) => [accountOf(key.poolId), key.unheard]);
  const charged = sumBy(after.pools.values(), (pool) => [
    pool.accountId,
    chargedTo(pool) - chargedTo(before.pools.get(pool.id)),
  ]);
  return new Map(
    [...charged].map(([id, credits]) => [
      id,
      { told: told.get(id) ?? 0, unheard: unheard.get(id) ?? 0, charged: credits },
    ]),
  );
}

/** A balance moves by what was charged and what was granted, and by nothing else. */
function balanceFaults(id: number, before: PoolState | undefined, after: PoolState | undefined): string[] {
  const charged = chargedTo(after) - chargedTo(before);
  const granted = gained(after, ...GRANTS) - gained(before, ...GRANTS);
  const moved = (after?.balance ?? 0) - (before?.balance ?? 0);
  if (moved === granted - charged) return [];
  return [`pool ${id}: ${moved} came to the balance, of ${granted} granted and ${charged} charged`];
}

/** Credits that the operator lost in an interval, by account: told and never charged. */
export function lostDebits(interval: Omit<Interval, 'mayBeLost'>): ReadonlyMap<number, number> {
  const lost = new Map<number, number>();
  for (const [id, { told, charged }] of accountSums(interval)) if (charged < told) lost.set(id, told - charged);
  return lost;
}

function sumBy<T>(items: Iterable<T>, read: (item: T) => readonly [number, number]): Map<number, number> {
  const sums = new Map<number, number>();
  for (const item of items) {
    const [key, value] = read(item);
    sums.set(key, (sums.get(key) ?? 0) + value);
  }
  return sums;
}
