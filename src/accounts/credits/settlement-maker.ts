import { randomUUID } from 'node:crypto';
import type { Clock } from '../../kernel/clock.ts';
import type { LeaseTimes } from './lease-rules.ts';
import type { MeteredPool, PoolDebit } from './metered-pool.ts';
import type { Settlement } from './settlement.ts';
import type { SettlementRefused } from './write-settlement.ts';

/** Settlements of pools, as the writer sends them. */
export interface PoolSettlement extends Settlement {
  readonly items: readonly PoolDebit[];
}

/**
 * Of one transaction: a few milliseconds, so that others get their turn. With fewer, a page that many pools share is
 * written once for each transaction.
 */
const MAX_SETTLEMENT_POOLS = 400;
const MAX_SETTLEMENT_ROWS = 2_000;

export interface SettlementMakerOptions {
  readonly clock: Clock;
  readonly holder: string;
  readonly leaseTimes: LeaseTimes;
}

/** Makes the settlements of this process, and counts them. */
export interface SettlementMaker {
  /** Takes pools from the end of the queue, as many as one transaction writes. `taken` is told of each before it is asked. */
  compose(queue: MeteredPool[], taken: (pool: MeteredPool) => void): PoolSettlement;
  /** Each pool by itself, so that only the one that is refused waits. */
  split(settlement: PoolSettlement, refusal: SettlementRefused): PoolSettlement[];
  /** The same under a new number: only of a settlement of which nothing was written, nor ever will be. */
  renumbered(settlement: PoolSettlement): PoolSettlement;
}

export function createSettlementMaker({ clock, holder, leaseTimes }: SettlementMakerOptions): SettlementMaker {
  let number = 0;

  function renumbered(settlement: PoolSettlement): PoolSettlement {
    number += 1;
    return { ...settlement, number };
  }

  return {
    compose(queue, taken) {
      number += 1;
      const items: PoolDebit[] = [];
      for (let rows = 0; queue.length > 0 && items.length < MAX_SETTLEMENT_POOLS && rows < MAX_SETTLEMENT_ROWS; ) {
        const pool = queue.pop()!;
        taken(pool);
        const item = pool.compose(randomUUID);
        rows += item.usage.length;
        items.push(item);
      }
      return { holder, number, items, leaseTimes, at: clock.now(), since: clock.elapsed() };
    },
    split: (settlement, { wasWritten }) =>
      settlement.items.map((item) => ({ ...(wasWritten ? settlement : renumbered(settlement)), items: [item] })),
    renumbered,
  };
}
