import type { Address } from '../../chain/address.ts';
import { foldPositions, type PositionState, type PositionSwap } from '../../facts/average-cost.ts';
import type { BlockFacts } from '../../facts/fact.ts';
import type { BoundedQueue } from '../../kernel/bounded-queue.ts';
import type { Clock } from '../../kernel/clock.ts';
import { withPositions } from '../../store/clickhouse/schema/position-rows.ts';
import { type StaleMint, withStale } from '../../store/clickhouse/write/stale-positions.ts';
import type { BatchSink, IngestStore } from '../ingest-store.ts';
import { mintsOf, tradedMints } from '../late/late-blocks.ts';
import type { LiveFold } from '../late/refold.ts';
import { refoldTables } from '../late/refold-rows.ts';
import type { StaleMints } from '../late/stale-mints.ts';
import type { IngestStats } from '../report/stats.ts';
import type { DerivedStep } from './derive-stage.ts';
import type { FittingRows } from './fitting-rows.ts';
import type { FlushProgress } from './flush-progress.ts';
import { sizeOf } from './flush-size.ts';
import type { FlushItem } from './flush-stage.ts';
import type { FlushWindow } from './flush-window.ts';
import type { RecentPositions } from './recent-positions.ts';
import { createTurns } from './turns.ts';
import { createUnconfirmedStack, type HeldBlock } from './unconfirmed-stack.ts';

export interface FoldStageOptions {
  readonly store: IngestStore;
  readonly sink: BatchSink;
  readonly stats: IngestStats;
  readonly clock: Clock;
  readonly ledger: RecentPositions;
  readonly stale: StaleMints;
  readonly progress: FlushProgress;
  readonly derived: BoundedQueue<DerivedStep>;
  readonly waiting: BoundedQueue<FlushItem>;
  readonly window: FlushWindow;
  /** Steps taken together, and as many batches may wait for a flush. */
  readonly groupSize: number;
  readonly maxUnconfirmedBlocks: number;
}

/**
 * Folds blocks into positions, publishes them at once, and lets them through to
 * the store when they are confirmed. Mints that were folded again are put in
 * place between two groups of steps, never within one.
 */
export interface FoldStage extends LiveFold {
  /** Until nothing more comes, or nothing more is taken. */
  run(): Promise<void>;
}

/** Swaps remembered while their mints are folded again. Beyond it the round is given up, and tried with fewer mints. */
const MAX_REMEMBERED_SWAPS = 100_000;

export function createFoldStage(options: FoldStageOptions): FoldStage {
  const { store, sink, stats, clock, ledger, stale, progress, derived, waiting, window, groupSize } = options;
  const stack = createUnconfirmedStack(options.maxUnconfirmedBlocks);
  const turns = createTurns();
  let number = 0;
  /** Newest that went to the store, as a number and as a slot. */
  let confirmed = { number: 0, slot: 0 };
  let remembered: { readonly mints: ReadonlySet<Address>; readonly swaps: PositionSwap[] } | undefined;

  async function foldGroup(steps: readonly DerivedStep[]): Promise<boolean> {
    // At the tip that is one block; behind it, all that has gathered: one read of positions for the lot.
    const read = await loadPositions(steps.flatMap((step) => (step.kind === 'block' ? [step.facts] : [])));
    for (const step of steps) if (!(await take(step))) return false;
    stats.positions(ledger.size, read);
    return true;
  }

  /** Makes the ledger know all positions that the blocks touch. Gives how many were read. */
  async function loadPositions(blocks: readonly BlockFacts[]): Promise<number> {
    for (const { whole, created } of blocks) if (whole) for (const { mint } of created) ledger.born(mint);
    const missing = ledger.missing(blocks.flatMap(({ swaps }) => swaps));
    if (missing.length === 0) return 0;
    const states = await store.readPositions(missing);
    ledger.restore(states);
    return states.length;
  }

  /** False when nothing more is taken. */
  async function take(step: DerivedStep): Promise<boolean> {
    switch (step.kind) {
      case 'block':
        if (!step.confirmed && stack.full) leaveOut(step.facts.slot);
        else await hold(step);
        return step.confirmed ? confirm(step.facts.slot) : true;
      case 'left-out':
        if (!step.confirmed) stack.leaveOut(step.slot);
        return true;
      case 'confirmed':
        return confirm(step.slot);
      case 'withdrawn':
        withdraw(step.slot);
        return true;
    }
  }

  /** Folds a block and publishes it. From here on it is on the stack. */
  async function hold({ facts, batch: rows }: FittingRows): Promise<void> {
    const startedAt = clock.elapsed();
    number += 1;
    // Its single transactions are in the positions already, perhaps at other places: they are folded again from the store.
    const isLate = facts.whole && store.hasPartial(facts.slot);
    const swaps = isLate ? [] : facts.swaps;
    const { changed, dirty } = ledger.fold(swaps, number);
    if (dirty.size > 0) stats.disordered(dirty);
    const marks = stale.mark(isLate ? tradedMints(facts) : dirty, facts.slot);
    const batch = withStale(withPositions(rows, changed), marks);
    const foldedAt = clock.elapsed();
    stats.spent('fold', foldedAt - startedAt);
    stack.push({ slot: facts.slot, number, swaps, batch, marks, unpublished: isLate ? mintsOf(facts) : undefined });
    if (!isLate) await sink.publish(batch);
    stats.spent('publish', clock.elapsed() - foldedAt);
    stats.unconfirmed(stack.size);
  }

  function leaveOut(slot: number): void {
    stack.leaveOut(slot);
    stats.alarm(
      'unconfirmed_overflow',
      `${stack.size} blocks wait to be confirmed and no more are taken; from slot ${slot} on they become a hole`,
    );
  }

  async function confirm(slot: number): Promise<boolean> {
    const blocks = stack.confirm(slot);
    if (blocks.length > 0) stats.alarm('unconfirmed_overflow', undefined);
    stats.unconfirmed(stack.size);
    for (const block of blocks) {
      ledger.confirmed(block.number);
      confirmed = { number: block.number, slot: Math.max(confirmed.slot, block.slot) };
      remember(block.swaps);
      const { batch, marks, unpublished } = block;
      if (!(await letThrough({ kind: 'block', number: block.number, batch, marks, unpublished }))) return false;
      window.add(sizeOf([batch]).rows);
    }
    return true;
  }

  function withdraw(slot: number): void {
    const block = stack.withdraw(slot);
    if (block === undefined) return;
    ledger.undo(block.number);
    stale.forget(block.marks);
    if (block.unpublished === undefined) sink.withdraw(slot);
    stats.withdrew(1);
    stats.unconfirmed(stack.size);
  }

  function letThrough(item: FlushItem): Promise<boolean> {
    if (waiting.size + 1 >= groupSize) window.hurry();
    return waiting.push(item);
  }

  function remember(swaps: readonly PositionSwap[]): void {
    if (remembered === undefined) return;
    for (const swap of swaps) if (remembered.mints.has(swap.mint)) remembered.swaps.push(swap);
    if (remembered.swaps.length > MAX_REMEMBERED_SWAPS) remembered = undefined;
  }

  /** Puts refolded positions beneath what is not confirmed, and that back on top. Gives the number of their rows. */
  async function putBeneath(
    states: Map<string, PositionState>,
    mints: ReadonlySet<Address>,
    done: readonly StaleMint[],
  ) {
    const lifted = stack.blocks();
    for (const block of lifted.toReversed()) ledger.undo(block.number);
    const items = refoldTables([...states.values()], done).map((tables, place) => {
      return { kind: 'refold', number: number + 1 + place, tables } as const;
    });
    number += items.length;
    confirmed = { ...confirmed, number };
    ledger.replace(states.values(), number);
    await putBack(lifted, mints);
    for (const item of items) if (!(await letThrough(item))) return undefined;
    return confirmed.number;
  }

  /** What was published with positions that are not right now is withdrawn and published again. */
  async function putBack(lifted: readonly HeldBlock[], mints: ReadonlySet<Address>): Promise<void> {
    const wrong = lifted.findIndex(({ swaps }) => swaps.some(({ mint }) => mints.has(mint)));
    const fromThere = wrong < 0 ? [] : lifted.slice(wrong);
    for (const { slot, unpublished } of fromThere.toReversed()) if (unpublished === undefined) sink.withdraw(slot);
    for (const block of lifted) {
      number += 1;
      block.number = number;
      const { changed } = ledger.fold(block.swaps, number);
      if (!fromThere.includes(block)) continue;
      block.batch = withPositions(block.batch, changed);
      if (block.unpublished === undefined) await sink.publish(block.batch);
    }
  }

  return {
    async run() {
      while (await derived.ready()) {
        if (!(await turns.take(() => foldGroup(derived.drain(groupSize))))) return;
      }
      // The source is gone and can confirm nothing any more.
      await turns.take(() => {
        for (const slot of stack.slots().toReversed()) withdraw(slot);
      });
    },
    async draw(mints, signal) {
      const line = await turns.take(() => {
        remembered = { mints, swaps: [] };
        return { number: confirmed.number, slot: Math.max(confirmed.slot, store.committedSlot) };
      });
      return (await progress.reached(line.number, signal)) ? line.slot : undefined;
    },
    async replace({ states, mints, done }, signal) {
      const written = await turns.take(async () => {
        const since = remembered;
        remembered = undefined;
        if (since === undefined || signal.aborted) return undefined;
        const swaps = since.swaps.filter(({ mint }) => mints.has(mint));
        foldPositions(states, swaps);
        return putBeneath(states, mints, done);
      });
      return written !== undefined && (await progress.reached(written, signal));
    },
  };
}
