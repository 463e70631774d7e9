import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import type { MeteredPool } from './metered-pool.ts';
import type { PoolSettlement } from './settlement-maker.ts';
import type { SettlementRefused } from './write-settlement.ts';

/** A settlement of one pool, which the database does not take. */
interface RefusedDebit {
  readonly settlement: PoolSettlement;
  readonly refusal: SettlementRefused;
}

/** Milliseconds between tries of a debit that is refused for good: until somebody has put the row right. */
const RETRY_MS = 5_000;

/** Pools whose debits the database refuses. They wait here, so that those of all others are written. */
export interface RefusedDebits {
  /** Keeps a settlement of one pool, and fails the calls that wait for it. */
  keep(settlement: PoolSettlement, refusal: SettlementRefused): void;
  /** It was written after all. */
  release(pool: MeteredPool): void;
  /** The refusal that keeps more of a pool from being written now; undefined when it may be written. */
  refusalOf(pool: MeteredPool): SettlementRefused | undefined;
  /** Debits to be tried again, when their time has come; none otherwise. They stay here until they are released. */
  due(): readonly RefusedDebit[];
  readonly pools: readonly MeteredPool[];
}

export function createRefusedDebits({ clock, log }: { readonly clock: Clock; readonly log: Logger }): RefusedDebits {
  const kept = new Map<MeteredPool, RefusedDebit>();
  /** A pool that was given up and came back is another object on the same row. */
  const refusals = new Map<string, SettlementRefused>();
  let triedAt = clock.elapsed();

  function release(pool: MeteredPool): void {
    if (kept.delete(pool)) refusals.delete(rowOf(pool));
  }

  return {
    keep(settlement, refusal) {
      const [item] = settlement.items;
      if (item === undefined) return;
      for (const { fail } of item.waiting) fail(refusal);
      item.waiting = [];
      const { pool, poolId, accountId, demand } = item;
      if (!kept.has(pool)) {
        const facts = { pool: poolId, account: accountId, credits: demand.debit, err: refusal.message };
        log.error(facts, 'credits of a pool cannot be written: the database refuses them');
      }
      if (kept.size === 0) triedAt = clock.elapsed();
      // The last to be tried again: one that is refused for ever is not in the way of the others.
      release(pool);
      if (!pool.leaves || demand.debit > 0 || item.usage.length > 0) {
        kept.set(pool, { settlement, refusal });
        refusals.set(rowOf(pool), refusal);
      }
    },
    release,
    refusalOf(pool) {
      return refusals.size === 0 ? undefined : refusals.get(rowOf(pool));
    },
    due() {
      if (kept.size === 0 || clock.elapsed() - triedAt < RETRY_MS) return [];
      triedAt = clock.elapsed();
      return [...kept.values()];
    },
    get pools() {
      return [...kept.keys()];
    },
  };
}

function rowOf({ payment, id }: MeteredPool): string {
  return `${payment} ${id}`;
}
