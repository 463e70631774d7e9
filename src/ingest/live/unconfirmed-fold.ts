import type { Address } from '../../chain/address.ts';
import type { PositionState } from '../../facts/average-cost.ts';
import type { Clock } from '../../kernel/clock.ts';
import { withPositions } from '../../store/clickhouse/schema/position-rows.ts';
import { type StaleMint, withStale } from '../../store/clickhouse/write/stale-positions.ts';
import type { BatchSink, IngestStore } from '../ingest-store.ts';
import { mintsOf, tradedMints } from '../late/late-blocks.ts';
import { refoldTables } from '../late/refold-rows.ts';
import type { StaleMints } from '../late/stale-mints.ts';
import type { IngestStats } from '../report/stats.ts';
import type { FittingRows } from './fitting-rows.ts';
import type { FlushItem } from './flush-stage.ts';
import type { RecentPositions } from './recent-positions.ts';
import { createUnconfirmedStack, type HeldBlock } from './unconfirmed-stack.ts';

export interface UnconfirmedFoldOptions {
  readonly store: Pick<IngestStore, 'hasPartial'>;
  readonly sink: BatchSink;
  readonly stats: IngestStats;
  readonly clock: Clock;
  readonly recentPositions: RecentPositions;
  readonly stale: StaleMints;
  readonly maxUnconfirmedBlocks: number;
}

type RefoldItem = Extract<FlushItem, { readonly kind: 'refold' }>;

/** The blocks that are folded and published and not confirmed: positions, stack and feed always tell of the same ones. */
export interface UnconfirmedFold {
  readonly size: number;
  /** True while there is no room for another one. */
  readonly full: boolean;
  /** Folds a block and publishes it. From here on it can be withdrawn. */
  hold(block: FittingRows): Promise<void>;
  /** Remembers the slot only: nothing of its block is folded or published. */
  leaveOut(slot: number): void;
  /** Lets go of what is confirmed by `slot`, and gives the blocks held of it, oldest first. */
  confirm(slot: number): readonly HeldBlock[];
  /** Takes back the newest, of this slot. */
  withdraw(slot: number): void;
  withdrawAll(): void;
  /** Puts refolded positions beneath what is held, and that back on top. Gives what is to be written of them, numbered before it. */
  putBeneath(
    states: Map<string, PositionState>,
    mints: ReadonlySet<Address>,
    done: readonly StaleMint[],
  ): Promise<{ readonly items: readonly RefoldItem[]; readonly number: number }>;
}

export function createUnconfirmedFold(options: UnconfirmedFoldOptions): UnconfirmedFold {
  const { store, sink, stats, clock, recentPositions, stale } = options;
  const stack = createUnconfirmedStack(options.maxUnconfirmedBlocks);
  /** Of the newest fold. */
  let number = 0;

  function withdraw(slot: number): void {
    const block = stack.withdraw(slot);
    if (block === undefined) return;
    recentPositions.undo(block.number);
    stale.forget(block.marks);
    if (block.unpublished === undefined) sink.withdraw(slot);
    stats.withdrew(1);
    stats.unconfirmed(stack.size);
  }

  /** Puts lifted blocks back. Those published with positions that are not right now are withdrawn and published again. */
  async function putBack(lifted: readonly HeldBlock[], mints: ReadonlySet<Address>): Promise<void> {
    const wrong = lifted.findIndex(({ swaps }) => swaps.some(({ mint }) => mints.has(mint)));
    const fromThere = wrong < 0 ? [] : lifted.slice(wrong);
    for (const { slot, unpublished } of fromThere.toReversed()) if (unpublished === undefined) sink.withdraw(slot);
    for (const block of lifted) {
      number += 1;
      block.number = number;
      const { changed } = recentPositions.fold(block.swaps, number);
      if (!fromThere.includes(block)) continue;
      block.batch = withPositions(block.batch, changed);
      if (block.unpublished === undefined) await sink.publish(block.batch);
    }
  }

  return {
    get size() {
      return stack.size;
    },
    get full() {
      return stack.full;
    },
    async hold({ facts, batch: rows }) {
      const startedAt = clock.elapsed();
      number += 1;
      // Its single transactions are in the positions already, perhaps at other places: they are folded again from the store.
      const isLate = facts.whole && store.hasPartial(facts.slot);
      const swaps = isLate ? [] : facts.swaps;
      const { changed, dirty } = recentPositions.fold(swaps, number);
      if (dirty.size > 0) stats.disordered(dirty);
      const marks = stale.mark(isLate ? tradedMints(facts) : dirty, facts.slot);
      const batch = withStale(withPositions(rows, changed), marks);
      const foldedAt = clock.elapsed();
      stats.spent('fold', foldedAt - startedAt);
      stack.push({ slot: facts.slot, number, swaps, batch, marks, unpublished: isLate ? mintsOf(facts) : undefined });
      if (!isLate) await sink.publish(batch);
      stats.spent('publish', clock.elapsed() - foldedAt);
      stats.unconfirmed(stack.size);
    },
    leaveOut: stack.leaveOut,
    confirm(slot) {
      const blocks = stack.confirm(slot);
      stats.unconfirmed(stack.size);
      return blocks;
    },
    withdraw,
    withdrawAll() {
      for (const slot of stack.slots().toReversed()) withdraw(slot);
    },
    async putBeneath(states, mints, done) {
      const lifted = stack.blocks();
      for (const block of lifted.toReversed()) recentPositions.undo(block.number);
      const items = refoldTables([...states.values()], done).map((tables, place) => {
        return { kind: 'refold', number: number + 1 + place, tables } as const;
      });
      number += items.length;
      const beneath = number;
      recentPositions.replace(states.values(), beneath);
      await putBack(lifted, mints);
      return { items, number: beneath };
    },
  };
}
