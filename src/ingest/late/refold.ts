import type { Address } from '../../chain/address.ts';
import { type ChainPlace, compareChainPlaces } from '../../chain/place.ts';
import type { PositionState } from '../../facts/average-cost.ts';
import { foldMints } from '../../facts/fold-mints.ts';
import { cutHolding, type HoldingState, walletKey } from '../../facts/holding.ts';
import type { WalletState } from '../../facts/wallet-fold.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { StaleMint } from '../../store/clickhouse/write/stale-positions.ts';
import type { BatchSink, IngestStore } from '../ingest-store.ts';
import type { IngestStats } from '../report/stats.ts';
import type { StaleMints } from './stale-mints.ts';

/** Wallets folded from all stored swaps and movements of their mints. */
export interface Refold {
  /** By `walletKey`. */
  readonly states: Map<string, WalletState>;
  /** Mints whose wallets these are, all of them. */
  readonly mints: ReadonlySet<Address>;
  /** Marks that are answered by writing them. */
  readonly done: readonly StaleMint[];
}

/** The folding that goes on while mints are folded again. */
export interface LiveFold {
  /**
   * Draws a line behind what is confirmed, and from there on remembers what is
   * confirmed of these mints. Resolves when the store has everything before the
   * line, with the newest slot of that; undefined when it never will.
   */
  draw(mints: ReadonlySet<Address>, signal: AbortSignal): Promise<number | undefined>;
  /**
   * Folds what was remembered on top, and puts the result in the place of the
   * wallets in memory. Resolves when the store has it too; false when too much
   * was to be remembered, or it is too late: then nothing has changed.
   */
  replace(refold: Refold, signal: AbortSignal): Promise<boolean>;
}

type RefoldStore = Pick<
  IngestStore,
  'swapsOf' | 'movementsOf' | 'positionsOf' | 'holdingsOf' | 'removePositions' | 'removeHoldings'
>;

export interface RefolderOptions {
  readonly store: RefoldStore;
  readonly stale: StaleMints;
  readonly live: LiveFold;
  readonly sink: Pick<BatchSink, 'changed'>;
  readonly stats: Pick<IngestStats, 'refolded' | 'stale' | 'alarm' | 'journal'>;
  readonly clock: Clock;
  /** Waited before each round, so that mints that are marked over and over are folded once. */
  readonly delayMs?: number;
  /** True while more mints are about to become stale, or live blocks wait: both are waited for, up to a minute. */
  readonly isEarly?: () => boolean;
}

/** Folds mints again whose swaps came out of order. */
export interface Refolder {
  /** Until the signal aborts, or nothing is stale and nothing ever will be. What is left stays marked in the store. */
  run(signal: AbortSignal): Promise<void>;
}

/** Mints of one round: their names have to fit into a query. */
const MAX_MINTS = 500;
/** Wallets folded in one round; a single mint may have more. */
const MAX_WALLETS = 20_000;
const DEFAULT_DELAY_MS = 2_000;
/** Between rounds while the store does not answer, or while it is early. */
const MAX_DELAY_MS = 60_000;
const LOOK_AGAIN_MS = 1_000;

export function createRefolder(options: RefolderOptions): Refolder {
  const { store, stale, live, sink, stats, clock, delayMs = DEFAULT_DELAY_MS, isEarly = () => false } = options;
  /** Halved when live trading of the mints was too much to remember. */
  let limit = MAX_MINTS;

  async function round(signal: AbortSignal): Promise<void> {
    const asked = stale.next(limit);
    const line = await live.draw(new Set(asked.map(({ mint }) => mint)), signal);
    if (line === undefined) return;
    const { states, mints } = await foldAgain(store, asked, line, signal);
    const { beyondReach, misplaced } = await compareStored(store, states, mints, line);
    for (const [key, { mint }] of states) if (beyondReach.has(mint)) states.delete(key);
    if (misplaced.length > 0) await store.removePositions(misplaced.filter(({ mint }) => !beyondReach.has(mint)));
    const holdings = await compareHoldings(store, states, mints, line);
    if (holdings.misplaced.length > 0) await store.removeHoldings(holdings.misplaced);
    for (const cut of holdings.cut) if (!beyondReach.has(cut.mint)) keepCut(states, cut);
    const done = asked.filter(({ mint }) => mints.has(mint));
    const folded = new Set([...mints].filter((mint) => !beyondReach.has(mint)));
    if (!(await live.replace({ states, mints: folded, done }, signal))) {
      limit = Math.max(1, limit >> 1);
      return;
    }
    limit = Math.min(MAX_MINTS, limit * 2);
    stale.done(done);
    stats.stale(stale.size);
    stats.refolded(folded.size, states.size);
    for (const mint of beyondReach)
      stats.journal.note({ code: 'swaps_not_kept', subject: 'positions', detail: { mint } });
    sink.changed([...folded]);
  }

  return {
    async run(signal) {
      let delay = delayMs;
      while (await stale.ready(signal)) {
        stats.stale(stale.size);
        await clock.sleep(delay, signal);
        for (let waited = delay; isEarly() && waited < MAX_DELAY_MS && !signal.aborted; waited += LOOK_AGAIN_MS) {
          await clock.sleep(LOOK_AGAIN_MS, signal);
        }
        if (signal.aborted) return;
        try {
          await round(signal);
          stats.alarm('refold', undefined);
          delay = delayMs;
        } catch (error) {
          // The marks stay, so nothing is lost by waiting until the store answers.
          stats.alarm('refold', `positions of ${stale.size} mints could not be folded again: ${String(error)}`);
          delay = Math.min(MAX_DELAY_MS, Math.max(1, delay) * 2);
        }
      }
    },
  };
}

/** Folds as it reads: wallets are held, swaps are not. Stops behind the mint with which there are enough wallets. */
async function foldAgain(
  store: RefoldStore,
  asked: readonly StaleMint[],
  line: number,
  signal: AbortSignal,
): Promise<{ readonly states: Map<string, WalletState>; readonly mints: ReadonlySet<Address> }> {
  const states = new Map<string, WalletState>();
  const behind = new Set<Address>();
  const mints = asked.map(({ mint }) => mint);
  const [swaps, movements] = [upTo(store.swapsOf(mints), line), upTo(store.movementsOf(mints), line)];
  for await (const { mint, wallets } of foldMints(swaps, movements)) {
    if (signal.aborted) return { states, mints: behind };
    for (const [key, state] of wallets) states.set(key, state);
    behind.add(mint);
    if (states.size >= MAX_WALLETS) return { states, mints: behind };
  }
  // To the end: those without a single swap are through as well.
  return { states, mints: new Set(mints) };
}

/**
 * Rows up to a slot. Tables are read one after the other while flushes go on: what came behind the line would be there of
 * some and not of others, and is remembered to be folded on top of all.
 */
async function* upTo<T extends { readonly slot: number }>(
  pieces: AsyncIterable<readonly T[]>,
  line: number,
): AsyncGenerator<readonly T[]> {
  for await (const piece of pieces) yield piece.filter(({ slot }) => slot <= line);
}

/**
 * Compares the stored positions with those that the swaps give. Up to the line both are whole, so a position that knows
 * of more, or of older, trades than there are swaps has lost some of them to retention: its mint is left as it is. A
 * position that stands behind its last swap was folded from a single transaction without its block, at a place that the
 * whole block corrected.
 */
async function compareStored(
  store: Pick<IngestStore, 'positionsOf'>,
  states: ReadonlyMap<string, WalletState>,
  mints: ReadonlySet<Address>,
  line: number,
): Promise<{ readonly beyondReach: ReadonlySet<Address>; readonly misplaced: PositionState[] }> {
  const beyondReach = new Set<Address>();
  const misplaced: PositionState[] = [];
  for await (const stored of store.positionsOf([...mints])) {
    for (const position of stored) {
      if (position.firstSlot > line) continue;
      const wallet = states.get(walletKey({ mint: position.mint, wallet: position.trader }));
      const folded = wallet?.positions.find(({ quoteMint }) => quoteMint === position.quoteMint);
      if (folded === undefined || folded.firstSlot > position.firstSlot) beyondReach.add(position.mint);
      else if (position.slot <= line) {
        if (trades(folded) < trades(position)) beyondReach.add(position.mint);
        else if (compareChainPlaces(folded, position) < 0) misplaced.push(position);
      }
    }
  }
  return { beyondReach, misplaced };
}

/** The same of holdings. One whose movements are not all there any more is kept, and not known from here on. */
async function compareHoldings(
  store: Pick<IngestStore, 'holdingsOf'>,
  states: ReadonlyMap<string, WalletState>,
  mints: ReadonlySet<Address>,
  line: number,
): Promise<{ readonly cut: HoldingState[]; readonly misplaced: HoldingState[] }> {
  const cut: HoldingState[] = [];
  const misplaced: HoldingState[] = [];
  for await (const stored of store.holdingsOf([...mints])) {
    for (const holding of stored) {
      const folded = states.get(walletKey(holding))?.holding;
      if (holding.firstSlot > line) continue;
      if (folded === undefined || folded.firstSlot > holding.firstSlot || !holding.whole) cut.push(holding);
      else if (holding.slot <= line && folded.moves < holding.moves) cut.push(holding);
      else if (holding.slot <= line && isBehind(folded, holding)) misplaced.push(holding);
    }
  }
  return { cut, misplaced };
}

/** Puts the stored state in the place of the folded one. */
function keepCut(states: Map<string, WalletState>, stored: HoldingState): void {
  const { mint, wallet } = stored;
  const key = walletKey(stored);
  const { positions } = states.get(key) ?? { positions: [] };
  states.set(key, { mint, wallet, positions, holding: cutHolding(stored) });
}

function isBehind(a: ChainPlace, b: ChainPlace): boolean {
  return compareChainPlaces(a, b) < 0;
}

function trades({ buys, sells }: PositionState): number {
  return buys + sells;
}
