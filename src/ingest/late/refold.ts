import type { Address } from '../../chain/address.ts';
import { foldMints } from '../../facts/fold-mints.ts';
import type { WalletState } from '../../facts/wallet-fold.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { StaleMint } from '../../store/clickhouse/write/stale-positions.ts';
import type { BatchSink, IngestStore } from '../ingest-store.ts';
import type { IngestStats } from '../report/stats.ts';
import { createLateSteps, type LateSteps } from './late-steps.ts';
import type { StaleMints } from './stale-mints.ts';
import { settleStored } from './stored-states.ts';

/** Wallets folded from all stored swaps and movements of their mints. */
export interface Refold {
  /** By `walletKey`. */
  readonly states: Map<string, WalletState>;
  /** Mints whose wallets these are, all of them. */
  readonly mints: ReadonlySet<Address>;
  /** Mints of which only some wallets are here: the others stay as they are. */
  readonly partly: ReadonlySet<Address>;
  /** Wallets, by `walletKey`, whose holdings are as they were stored: they may have steps that are newer than the line. */
  readonly asStored: ReadonlySet<string>;
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
  'swapsOf' | 'movementsOf' | 'positionsOf' | 'holdingsOf' | 'readKeptSince' | 'removePositions' | 'removeHoldings'
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
    const late = createLateSteps(asked);
    const { states, mints } = await foldAgain(store, asked, late, line, signal);
    const { partly, asStored } = await settleStored(store, { states, mints, late, line });
    const done = asked.filter(({ mint }) => mints.has(mint));
    const folded = new Set([...mints].filter((mint) => !partly.has(mint)));
    if (!(await live.replace({ states, mints: folded, partly, asStored, done }, signal))) {
      limit = Math.max(1, limit >> 1);
      return;
    }
    limit = Math.min(MAX_MINTS, limit * 2);
    stale.done(done);
    stats.stale(stale.size);
    stats.refolded(folded.size, states.size);
    for (const mint of partly) stats.journal.note({ code: 'swaps_not_kept', subject: 'positions', detail: { mint } });
    sink.changed([...mints]);
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
  late: LateSteps,
  line: number,
  signal: AbortSignal,
): Promise<{ readonly states: Map<string, WalletState>; readonly mints: ReadonlySet<Address> }> {
  const states = new Map<string, WalletState>();
  const behind = new Set<Address>();
  const mints = asked.map(({ mint }) => mint);
  const swaps = upTo(store.swapsOf(mints), line, late.ofSwaps);
  const movements = upTo(store.movementsOf(mints), line, late.ofMovements);
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
  note: (steps: readonly T[]) => void,
): AsyncGenerator<readonly T[]> {
  for await (const piece of pieces) {
    const steps = piece.filter(({ slot }) => slot <= line);
    note(steps);
    yield steps;
  }
}
