import { ApiError } from '../contract/errors.ts';
import { Absence } from '../contract/stamp.ts';
import type { Clock } from '../kernel/clock.ts';
import { isKnown, type TokenState } from './state.ts';
import type { TokenReads } from './token-reads.ts';

/** A flush that is under way has written some of its tables and not yet the others: it is waited for so long. */
const FLUSH_WAIT_MS = 2_000;
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
 *
 * @throws {ApiError} `storage_unavailable` when the flush takes longer than a question can wait.
 */
export async function untilCommitted(slot: number, { feed, clock }: SettledDeps): Promise<void> {
  for (let waited = 0; feed.committedSlot < slot; waited += FLUSH_POLL_MS) {
    if (waited >= FLUSH_WAIT_MS) throw notSettled();
    await clock.sleep(FLUSH_POLL_MS);
  }
}

/** The refusal of an answer whose parts would be of several slots: asked a moment later it is of one. */
export function notSettled(): ApiError {
  return new ApiError('storage_unavailable', { message: 'the newest blocks are being written: ask again in a moment' });
}

/** Times that something is read at most, of a token that every flush moves. */
const MAX_READS = 4;

/**
 * Reads what the store keeps the newest rows of alone, of several tables that a flush writes one after the other: what
 * shows a row of one that is under way is read again once that is done, so that all of it stands at the slot told, up
 * to which nothing is missing and beyond which there is nothing.
 *
 * @throws {ApiError} as {@link notSettled} says, when every read shows such rows.
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
    if (slot === known) return { rows, slot };
    if (reads === MAX_READS) throw notSettled();
    await untilCommitted(slot, settled);
  }
}

/**
 * The token as it stood at a slot that the store answers for: out of its book unless that knows later news of it. An
 * absence where nothing was known of it then; attempts and sends have no slot in a book, and are asked for again.
 */
export async function tokenAsOf(reads: TokenReads, state: TokenState, slot: number): Promise<TokenState | Absence> {
  if (isKnown(state) && newestNews(state) <= slot) return state;
  const then: TokenState = { mint: state.mint, ...(await reads.token(state.mint, slot)) };
  return isKnown(then) || then.traces?.known === true ? then : new Absence(slot);
}

/** Undefined when the token was known already at a slot that the store answers for: what was there then, nothing takes back. */
export async function absenceAt(reads: TokenReads, state: TokenState, slot: number): Promise<Absence | undefined> {
  const { creation, graduation, completion, lastSwap } = state;
  if ([creation, graduation, completion, lastSwap].some((fact) => fact !== undefined && fact.slot <= slot))
    return undefined;
  const then = await tokenAsOf(reads, state, slot);
  return then instanceof Absence ? then : undefined;
}

/** The state without a creation that came behind a slot: nobody knew of it then. */
export function bornBy<T extends Pick<TokenState, 'creation'>>(state: T, slot: number): T {
  const { creation } = state;
  return creation === undefined || creation.partial || creation.slot <= slot
    ? state
    : { ...state, creation: undefined };
}

/** Slot of the newest fact in a state. */
function newestNews(state: TokenState): number {
  return Math.max(0, ...newsOf(state));
}

/** Slots of the facts in a state. */
export function newsOf({
  creation,
  completion,
  graduation,
  creatorChange,
  lastSwap,
  lastPriced,
}: TokenState): number[] {
  return [creation, completion, graduation, creatorChange, lastSwap, lastPriced].flatMap((fact) => fact?.slot ?? []);
}

/** The newest slot among rows, and no older than `known`. */
export function newestSlotOf(rows: readonly { readonly slot: number }[], known: number): number {
  return rows.reduce((newest, { slot }) => Math.max(newest, slot), known);
}
