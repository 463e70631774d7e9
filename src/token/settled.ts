import type { Clock } from '../kernel/clock.ts';
import type { TokenState } from './state.ts';
import type { TokenReads } from './token-reads.ts';

/** A flush that is under way has written some of its tables and not yet the others: it is waited for so long. */
const FLUSH_WAIT_MS = 1_000;
const FLUSH_POLL_MS = 50;

export interface SettledDeps {
  /** Tells the newest slot that the store answers for. */
  readonly feed: { readonly committedSlot: number };
  readonly clock: Pick<Clock, 'sleep'>;
}

/**
 * Waits until the store answers for a slot whose rows were found there. Positions and the newest swaps of markets are
 * read as they stand, for the store keeps no older ones: what is read beside them with `slot` as its bound then agrees
 * with them. A flush lies in each table as a whole or not at all, so that rows of a slot say that everything up to it
 * is there.
 */
export async function untilCommitted(slot: number, { feed, clock }: SettledDeps): Promise<void> {
  for (let waited = 0; feed.committedSlot < slot && waited < FLUSH_WAIT_MS; waited += FLUSH_POLL_MS) {
    await clock.sleep(FLUSH_POLL_MS);
  }
}

/** Times that something is read at most: of a token that every flush moves the last read is told. */
const MAX_READS = 3;

/**
 * Reads what the store keeps the newest rows of alone, of several tables that a flush writes one after the other: what
 * shows a row of one that is under way is read again once that is done, so that all of it stands at the slot told, up
 * to which nothing is missing and beyond which there is nothing.
 */
export async function readSettled<T>(
  settled: SettledDeps,
  read: () => Promise<T>,
  newestOf: (rows: T) => number,
): Promise<{ readonly rows: T; readonly slot: number }> {
  for (let reads = 1; ; reads += 1) {
    const known = settled.feed.committedSlot;
    const rows = await read();
    const slot = Math.max(known, newestOf(rows));
    await untilCommitted(slot, settled);
    if (slot === known || reads === MAX_READS) return { rows, slot };
  }
}

/** The token as it stood at a slot that the store answers for: out of its book unless that knows later news of it. */
export async function tokenAsOf(reads: TokenReads, state: TokenState, slot: number): Promise<TokenState> {
  return newestNews(state) <= slot ? state : { mint: state.mint, ...(await reads.token(state.mint, slot)) };
}

/** Slot of the newest fact in a state. */
function newestNews({ creation, completion, graduation, creatorChange, lastSwap, lastPriced }: TokenState): number {
  const news = [creation, completion, graduation, creatorChange, lastSwap, lastPriced];
  return Math.max(0, ...news.map((fact) => fact?.slot ?? 0));
}

/** The newest slot among rows, and no older than `known`. */
export function newestSlotOf(rows: readonly { readonly slot: number }[], known: number): number {
  return rows.reduce((newest, { slot }) => Math.max(newest, slot), known);
}
