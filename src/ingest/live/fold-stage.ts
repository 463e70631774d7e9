import type { Address } from '../../chain/address.ts';
import type { PositionKey } from '../../facts/average-cost.ts';
import { type WalletKey, walletKey } from '../../facts/holding.ts';
import { foldWallets, type WalletState } from '../../facts/wallet-fold.ts';
import type { BoundedQueue } from '../../kernel/bounded-queue.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { BatchSink, IngestStore } from '../ingest-store.ts';
import type { LiveFold, Refold } from '../late/refold.ts';
import type { StaleMints } from '../late/stale-mints.ts';
import type { IngestStats } from '../report/stats.ts';
import type { DerivedStep } from './derive-stage.ts';
import type { FittingRows } from './fitting-rows.ts';
import type { FlushProgress } from './flush-progress.ts';
import { sizeOf } from './flush-size.ts';
import type { FlushItem } from './flush-stage.ts';
import type { FlushWindow } from './flush-window.ts';
import type { RecentWallets } from './recent-wallets.ts';
import { type FoldSteps, StepMemory } from './step-memory.ts';
import type { TradedMints } from './traded-mints.ts';
import { createTurns } from './turns.ts';
import { createUnconfirmedFold } from './unconfirmed-fold.ts';

export interface FoldStageOptions {
  readonly store: IngestStore;
  readonly sink: BatchSink;
  readonly stats: IngestStats;
  readonly clock: Clock;
  readonly recentWallets: RecentWallets;
  readonly tradedMints: TradedMints;
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
 * Folds blocks into positions and holdings, publishes them at once, and lets them through to
 * the store when they are confirmed. Mints that were folded again are put in
 * place between two groups of steps, never within one.
 */
export interface FoldStage extends LiveFold {
  /** Until nothing more comes, or nothing more is taken. */
  run(): Promise<void>;
}

/**
 * Folds what was remembered on top of wallets, of those too that had no step before it: what moved them may have been
 * passed over when it came, as nobody had traded their mint yet. Returns the mints with a step that is older than its wallet.
 */
function foldOnTop(refold: Refold, { swaps, movements }: FoldSteps): ReadonlySet<Address> {
  const { states, mints, isAsked, partly, asStored } = refold;
  const isTheirs = (mint: Address, wallet: Address) =>
    (mints.has(mint) && isAsked(wallet)) || (partly.has(mint) && states.has(walletKey({ mint, wallet })));
  const dirty = new Set<Address>();
  foldWallets(
    states,
    swaps.filter(({ mint, trader }) => isTheirs(mint, trader)),
    movements.filter(({ mint, wallet }) => isTheirs(mint, wallet)),
    (key, mint) => {
      // What is as it was stored has them already.
      if (!asStored.has(key)) dirty.add(mint);
    },
  );
  return dirty;
}

export function createFoldStage(options: FoldStageOptions): FoldStage {
  const { store, stats, recentWallets, tradedMints, progress, derived, waiting, window, groupSize } = options;
  const unconfirmed = createUnconfirmedFold(options);
  const memory = new StepMemory();
  const turns = createTurns();
  /** Newest that went to the store, as a number and as a slot. */
  let confirmed = { number: 0, slot: 0 };

  async function foldGroup(steps: readonly DerivedStep[]): Promise<boolean> {
    // At the tip that is one block; behind it, all that has gathered: one read of wallets for the lot.
    const read = await loadWallets(steps.flatMap((step) => (step.kind === 'block' ? [step] : [])));
    for (const step of steps) if (!(await take(step))) return false;
    stats.positions(recentWallets.size, read);
    return true;
  }

  /** Reads all wallets that the blocks touch into memory, unless they are there. Gives how many positions were read. */
  async function loadWallets(blocks: readonly FittingRows[]): Promise<number> {
    for (const { whole, created } of blocks.map(({ facts }) => facts)) {
      if (!whole) continue;
      for (const { mint } of created) {
        recentWallets.born(mint);
        tradedMints.born(mint);
      }
    }
    const swaps = blocks.flatMap(({ facts }) => facts.swaps);
    const movements = blocks.flatMap((block) => block.movements);
    await tradedMints.load(swaps, movements);
    const traded = new Set(swaps.map(({ mint }) => mint));
    const moved = movements.filter(({ mint }) => traded.has(mint) || tradedMints.quotesOf(mint).length > 0);
    const missing = recentWallets.missing({ swaps, movements: moved });
    if (missing.length === 0) return 0;
    const { wallets, read } = await readWallets(missing);
    recentWallets.restore(wallets);
    return read;
  }

  async function readWallets(keys: readonly WalletKey[]) {
    const ofPositions = keys.flatMap(({ mint, wallet: trader }): PositionKey[] => {
      return tradedMints.quotesOf(mint).map((quoteMint) => ({ mint, quoteMint, trader }));
    });
    const [positions, holdings] = await Promise.all([store.readPositions(ofPositions), store.readHoldings(keys)]);
    const found = new Map<string, WalletState>();
    const of = ({ mint, wallet }: WalletKey): WalletState =>
      found.get(walletKey({ mint, wallet })) ?? { mint, wallet, positions: [], holding: undefined };
    for (const position of positions) {
      const state = of({ mint: position.mint, wallet: position.trader });
      found.set(walletKey(state), { ...state, positions: [...state.positions, position] });
    }
    for (const holding of holdings) found.set(walletKey(holding), { ...of(holding), holding });
    return { wallets: found.values(), read: positions.length };
  }

  /** False when nothing more is taken. */
  async function take(step: DerivedStep): Promise<boolean> {
    switch (step.kind) {
      case 'block':
        if (!step.confirmed && unconfirmed.full) leaveOut(step.facts.slot);
        else await unconfirmed.hold(step);
        return step.confirmed ? confirm(step.facts.slot) : true;
      case 'left-out':
        if (!step.confirmed) unconfirmed.leaveOut(step.slot);
        return true;
      case 'confirmed':
        return confirm(step.slot);
      case 'withdrawn':
        unconfirmed.withdraw(step.slot);
        return true;
    }
  }

  function leaveOut(slot: number): void {
    unconfirmed.leaveOut(slot);
    stats.alarm(
      'unconfirmed_overflow',
      `${unconfirmed.size} blocks wait to be confirmed and no more are taken; from slot ${slot} on they become a hole`,
    );
  }

  async function confirm(slot: number): Promise<boolean> {
    const blocks = unconfirmed.confirm(slot);
    if (blocks.length > 0) stats.alarm('unconfirmed_overflow', undefined);
    for (const block of blocks) {
      recentWallets.confirmed(block.number);
      confirmed = { number: block.number, slot: Math.max(confirmed.slot, block.slot) };
      memory.add(block.steps);
      const { batch, marks, unpublished } = block;
      if (!(await letThrough({ kind: 'block', number: block.number, batch, marks, unpublished }))) return false;
      window.add(sizeOf([batch]).rows);
    }
    return true;
  }

  function letThrough(item: FlushItem): Promise<boolean> {
    if (waiting.size + 1 >= groupSize) window.hurry();
    return waiting.push(item);
  }

  return {
    async run() {
      while (await derived.ready()) {
        if (!(await turns.take(() => foldGroup(derived.drain(groupSize))))) return;
      }
      // The source is gone and can confirm nothing any more.
      await turns.take(unconfirmed.withdrawAll);
    },
    async draw(mints, signal) {
      const line = await turns.take(() => {
        memory.begin(mints);
        return { number: confirmed.number, slot: Math.max(confirmed.slot, store.committedSlot) };
      });
      return (await progress.reached(line.number, signal)) ? line.slot : undefined;
    },
    async replace(refold, signal) {
      const written = await turns.take(async () => {
        const since = memory.take();
        if (since === undefined || signal.aborted) return undefined;
        const { items, number } = await unconfirmed.putBeneath(refold, foldOnTop(refold, since));
        confirmed = { ...confirmed, number };
        for (const item of items) if (!(await letThrough(item))) return undefined;
        return number;
      });
      return written !== undefined && (await progress.reached(written, signal));
    },
  };
}
