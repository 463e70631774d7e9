import { randomInt } from 'node:crypto';
import type { Address } from '../../chain/address.ts';
import { foldMints, MAX_HELD_WALLETS } from '../../facts/fold-mints.ts';
import type { WalletState } from '../../facts/wallet-fold.ts';
import {
  ALL_WALLETS,
  createWalletShares,
  halvesOf,
  type IsOfShare,
  sharesLeft,
  type WalletShare,
} from '../../facts/wallet-share.ts';
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
  /** Mints whose wallets these are: all that were asked for. One that is not here had no step. */
  readonly mints: ReadonlySet<Address>;
  /** True of wallets that were asked for: the others stay as they are. */
  readonly isAsked: (wallet: Address) => boolean;
  /** Mints of which swaps are missing: of these, too, what is not here stays as it is. */
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
  /** Wallets of a mint that are held at most: of one that has more they are folded a share after the other. */
  readonly maxWallets?: number;
  /** Tells which of its wallets belong to a share. Drawn anew when left out, so that nobody knows it beforehand. */
  readonly isOfShare?: IsOfShare | undefined;
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
/** Wallets folded in one round; a single mint may have more, up to those that are held at most. */
const MAX_WALLETS = 20_000;
const DEFAULT_DELAY_MS = 2_000;
/** Between rounds while the store does not answer, or while it is early. */
const MAX_DELAY_MS = 60_000;
const LOOK_AGAIN_MS = 1_000;
const SEEDS = 2 ** 32;

/** A mint with more wallets than are held at a time. */
interface LargeMint {
  /** With which it was begun: folding the last share answers it. */
  readonly mark: StaleMint;
  /** Still to be folded. The last one is the next. */
  readonly shares: readonly WalletShare[];
}

export function createRefolder(options: RefolderOptions): Refolder {
  const { store, stale, live, sink, stats, clock, delayMs = DEFAULT_DELAY_MS, isEarly = () => false } = options;
  const { maxWallets = MAX_HELD_WALLETS, isOfShare = createWalletShares(randomInt(SEEDS)) } = options;
  /** Halved when live trading of the mints was too much to remember. */
  let limit = MAX_MINTS;
  /** The first is gone on with in every other round until all of it is folded; those behind it wait for that. */
  const larges: LargeMint[] = [];
  let isTurnOfOthers = false;

  /** Marks of the next round, and the large mint that it goes on with. */
  function choose(): { readonly asked: readonly StaleMint[]; readonly large: LargeMint | undefined } {
    const others = stale.next(limit, (mint) => larges.some(({ mark }) => mark.mint === mint));
    const large = isTurnOfOthers && others.length > 0 ? undefined : larges[0];
    isTurnOfOthers = large !== undefined;
    return { asked: large === undefined ? others : [large.mark], large };
  }

  /** Goes on with these shares of a mint, or is through with it when there are none. */
  function setLarge(mark: StaleMint, shares: readonly WalletShare[]): void {
    const at = larges.findIndex((large) => large.mark.mint === mark.mint);
    const left = shares.length > 0 ? [{ mark, shares }] : [];
    larges.splice(at < 0 ? larges.length : at, at < 0 ? 0 : 1, ...left);
  }

  async function round(signal: AbortSignal): Promise<void> {
    const { asked, large } = choose();
    const share = large?.shares.at(-1) ?? ALL_WALLETS;
    const line = await live.draw(new Set(asked.map(({ mint }) => mint)), signal);
    if (line === undefined) return;
    const late = createLateSteps(asked, { share, isOfShare });
    const fold = await foldAgain(store, asked, { late, line, share, isOfShare, maxWallets }, signal);
    const { states, mints } = fold;
    const isAsked = (wallet: Address) => isOfShare(fold.share, wallet);
    const settled = await settleStored(store, { states, mints, late, line, isAsked, maxWallets });
    const left = [...(large?.shares.slice(0, -1) ?? []), ...sharesLeft(share, fold.share)];
    if (settled === undefined) {
      if (mints.size > 1) limit = mints.size >> 1;
      else setLarge(ofMints(asked, mints)[0]!, [...left, ...halvesOf(fold.share)]);
      return;
    }
    const { partly, asStored } = settled;
    const done = left.length > 0 ? [] : ofMints(asked, mints);
    const folded = new Set([...mints].filter((mint) => !partly.has(mint)));
    if (!(await live.replace({ states, mints: folded, isAsked, partly, asStored, done }, signal))) {
      limit = Math.max(1, limit >> 1);
      return;
    }
    limit = Math.min(MAX_MINTS, limit * 2);
    if (fold.share.of > 1 || large !== undefined) setLarge(ofMints(asked, mints)[0]!, left);
    if (fold.larger !== undefined) setLarge(ofMints(asked, new Set([fold.larger]))[0]!, [ALL_WALLETS]);
    stale.done(done);
    stats.stale(stale.size);
    stats.refolded(done.filter(({ mint }) => folded.has(mint)).length, states.size);
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

/** Those marks that are about mints. */
function ofMints(marks: readonly StaleMint[], mints: ReadonlySet<Address>): readonly StaleMint[] {
  return marks.filter(({ mint }) => mints.has(mint));
}

interface AskedFold extends Required<Pick<RefolderOptions, 'maxWallets'>> {
  readonly late: LateSteps;
  readonly line: number;
  readonly share: WalletShare;
  readonly isOfShare: IsOfShare;
}

interface MintsFolded {
  readonly states: Map<string, WalletState>;
  readonly mints: ReadonlySet<Address>;
  /** Of the wallets of these mints; less than was asked for where one has too many, which is alone here then. */
  readonly share: WalletShare;
  /** Where the fold ended: a mint with too many wallets, which has to be alone. */
  readonly larger?: Address;
}

/** Folds as it reads: wallets are held, swaps are not. Stops behind the mint with which there are enough wallets. */
async function foldAgain(
  store: RefoldStore,
  asked: readonly StaleMint[],
  { late, line, share, isOfShare, maxWallets }: AskedFold,
  signal: AbortSignal,
): Promise<MintsFolded> {
  const states = new Map<string, WalletState>();
  const behind = new Set<Address>();
  const mints = asked.map(({ mint }) => mint);
  const swaps = upTo(store.swapsOf(mints), line, late.ofSwaps);
  const movements = upTo(store.movementsOf(mints), line, late.ofMovements);
  for await (const folded of foldMints(swaps, movements, { share, isOfShare, maxWallets, onNarrowed: late.narrow })) {
    if (signal.aborted) return { states, mints: behind, share };
    const isTooLarge = folded.share.of > share.of;
    if (isTooLarge && behind.size > 0) return { states, mints: behind, share, larger: folded.mint };
    for (const [key, state] of folded.wallets) states.set(key, state);
    behind.add(folded.mint);
    if (isTooLarge || states.size >= MAX_WALLETS) return { states, mints: behind, share: folded.share };
  }
  // To the end: those without a single swap are through as well.
  return { states, mints: new Set(mints), share };
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
