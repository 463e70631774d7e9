import type { Address } from '../../chain/address.ts';
import type { Clock } from '../../kernel/clock.ts';
import { withHoldings } from '../../store/clickhouse/schema/holding-rows.ts';
import { withPositions } from '../../store/clickhouse/schema/position-rows.ts';
import type { RowBatch } from '../../store/clickhouse/schema/row-batch.ts';
import { withStale } from '../../store/clickhouse/write/stale-positions.ts';
import type { BatchSink, IngestStore } from '../ingest-store.ts';
import { foldedMints, mintsOf } from '../late/late-blocks.ts';
import type { Refold } from '../late/refold.ts';
import { refoldTables } from '../late/refold-rows.ts';
import { ofAnySlot, ofSlot, type StaleMints } from '../late/stale-mints.ts';
import type { IngestStats } from '../report/stats.ts';
import type { FittingRows } from './fitting-rows.ts';
import type { FlushItem } from './flush-stage.ts';
import type { FoldedWallets, RecentWallets } from './recent-wallets.ts';
import type { FoldSteps } from './step-memory.ts';
import type { TradedMints } from './traded-mints.ts';
import { createUnconfirmedStack, type HeldBlock } from './unconfirmed-stack.ts';

export interface UnconfirmedFoldOptions {
  readonly store: Pick<IngestStore, 'hasPartial'>;
  readonly sink: BatchSink;
  readonly stats: IngestStats;
  readonly clock: Clock;
  readonly recentWallets: RecentWallets;
  readonly tradedMints: TradedMints;
  readonly stale: StaleMints;
  readonly maxUnconfirmedBlocks: number;
}

type RefoldItem = Extract<FlushItem, { readonly kind: 'refold' }>;

/** The blocks that are folded and published and not confirmed: wallets, stack and feed always tell of the same ones. */
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
  /**
   * Puts refolded wallets beneath what is held, and that back on top. Gives what is to be written of them, numbered
   * before it. Dirty mints are marked again with it.
   */
  putBeneath(
    refold: Pick<Refold, 'states' | 'mints' | 'partly' | 'done'>,
    dirty: ReadonlySet<Address>,
  ): Promise<{ readonly items: readonly RefoldItem[]; readonly number: number }>;
}

export function createUnconfirmedFold(options: UnconfirmedFoldOptions): UnconfirmedFold {
  const { store, sink, stats, clock, recentWallets, tradedMints, stale } = options;
  const stack = createUnconfirmedStack(options.maxUnconfirmedBlocks);
  /** Of the newest fold. */
  let number = 0;

  function withdraw(slot: number): void {
    const block = stack.withdraw(slot);
    if (block === undefined) return;
    recentWallets.undo(block.number);
    tradedMints.undo(block.firstTrades);
    stale.forget(block.marks);
    if (block.unpublished === undefined) sink.withdraw(slot);
    stats.withdrew(1);
    stats.unconfirmed(stack.size);
  }

  function fold({ swaps, movements }: FoldSteps): FoldedWallets {
    return recentWallets.fold({ swaps, movements: tradedMints.ofTraded(movements) }, number);
  }

  /** Puts lifted blocks back. Those published with states that are not right now are withdrawn and published again. */
  async function putBack(lifted: readonly HeldBlock[], mints: ReadonlySet<Address>): Promise<void> {
    const wrong = lifted.findIndex(({ steps }) => isAbout(steps, mints));
    const fromThere = wrong < 0 ? [] : lifted.slice(wrong);
    for (const { slot, unpublished } of fromThere.toReversed()) if (unpublished === undefined) sink.withdraw(slot);
    for (const block of lifted) {
      number += 1;
      block.number = number;
      const folded = fold(block.steps);
      if (!fromThere.includes(block)) continue;
      const dirty = [...folded.dirty].filter((mint) => mints.has(mint));
      const marks = stale.mark(dirty, ofSlot(block.slot));
      block.marks = [...block.marks, ...marks];
      block.batch = withStale(withFolded(block.batch, folded), marks);
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
    async hold({ facts, movements, batch: rows }) {
      const startedAt = clock.elapsed();
      number += 1;
      const { before: firstTrades, passedOver } = tradedMints.trade(facts.swaps);
      // Its single transactions are in the wallets already, perhaps at other places: they are folded again from the store.
      const isLate = facts.whole && store.hasPartial(facts.slot);
      const steps = isLate ? NO_STEPS : { swaps: facts.swaps, movements };
      const folded = fold(steps);
      if (folded.dirty.size > 0) stats.disordered(folded.dirty);
      // What its single transactions were, and the whole block does not tell, is in the wallets as well.
      const changed = isLate ? foldedMints(facts, tradedMints.ofTraded(movements)) : [];
      const marks = [
        ...stale.mark(folded.dirty, ofSlot(facts.slot)),
        ...stale.mark([...passedOver, ...changed], ofAnySlot(facts.slot)),
      ];
      const batch = withStale(withFolded(rows, folded), marks);
      const foldedAt = clock.elapsed();
      stats.spent('fold', foldedAt - startedAt);
      const unpublished = isLate ? mintsOf(facts) : undefined;
      stack.push({ slot: facts.slot, number, steps, firstTrades, batch, marks, unpublished });
      if (!isLate) await sink.publish(batch);
      stats.spent('publish', clock.elapsed() - foldedAt);
      stats.unconfirmed(stack.size);
    },
    leaveOut: stack.leaveOut,
    confirm(slot) {
      const blocks = stack.confirm(slot);
      for (const { firstTrades, steps } of blocks) if (firstTrades.size > 0) tradedMints.tradeForGood(steps.swaps);
      stats.unconfirmed(stack.size);
      return blocks;
    },
    withdraw,
    withdrawAll() {
      for (const slot of stack.slots().toReversed()) withdraw(slot);
    },
    async putBeneath({ states, mints, partly, done }, dirty) {
      const lifted = stack.blocks();
      for (const block of lifted.toReversed()) recentWallets.undo(block.number);
      const marks = stale.mark(dirty, ofAnySlot(0));
      const flushes = refoldTables([...states.values()], done, marks);
      const items = flushes.map((tables, place) => {
        const isLast = place === flushes.length - 1;
        return { kind: 'refold', number: number + 1 + place, tables, marks: isLast ? marks : [] } as const;
      });
      number += items.length;
      const beneath = number;
      recentWallets.replace(states.values(), beneath);
      await putBack(lifted, new Set([...mints, ...partly]));
      return { items, number: beneath };
    },
  };
}

const NO_STEPS: FoldSteps = { swaps: [], movements: [] };

function withFolded(batch: RowBatch, { positions, holdings }: FoldedWallets): RowBatch {
  return withHoldings(withPositions(batch, positions), holdings);
}

function isAbout({ swaps, movements }: FoldSteps, mints: ReadonlySet<Address>): boolean {
  return swaps.some(({ mint }) => mints.has(mint)) || movements.some(({ mint }) => mints.has(mint));
}
