import type { Clock } from '../../kernel/clock.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { type Coverage, coversRange, missingRanges } from '../../store/clickhouse/coverage.ts';
import { firstSlotOf, MINUTE_S, minuteOf, readChainTime } from '../../token/chain-time-reads.ts';
import { readCoverage } from '../../token/coverage-reads.ts';
import type { UnbrokenReader, WholeSince } from '../../token/history.ts';
import { LANDING_WINDOWS, type LandingWindowName, SLOTS_BEHIND } from './contract-landing-limits.ts';
import type { LandingBlocksRow, LandingReads, LandingSpan } from './landing-reads.ts';

export interface FrameDeps {
  readonly client: StoreClient;
  readonly reads: LandingReads;
  readonly feed: { readonly committedSlot: number };
  readonly clock: Pick<Clock, 'now'>;
  readonly unbroken: UnbrokenReader;
  readonly wholeSince: WholeSince;
}

/** A window as it ends with a slot, and its blocks. Times are Unix seconds, of the chain. */
export interface LandingFrame {
  readonly mark: number;
  readonly now: number;
  /** What is older is in no figure: the window begins there, or what is kept. */
  readonly from: number;
  /** From when on nothing is missing, where that is later than the window begins. */
  readonly since: number | undefined;
  /** Minutes of the window with blocks, in order. */
  readonly minutes: readonly LandingBlocksRow[];
  /** The same of all minutes that are kept, whichever window is asked for: sums of a minute hang on those before it. */
  readonly kept: readonly LandingBlocksRow[];
  /** Slots that are whole. */
  readonly coverage: Coverage;
}

/** Minutes are kept for the longest window, and two before it: what its first ones hang on leaves later than they do. */
const KEPT_S = Math.max(...Object.values(LANDING_WINDOWS).map(({ seconds }) => seconds)) + 2 * MINUTE_S;
/** A minute without a failed transaction among so many says that its source leaves those out: on a busy chain a third fail. */
const TELLING_TRANSACTIONS = 1_000n;

/** The window that ends with the newest slot that the store answers for; undefined while there is no block. */
export async function readFrame(deps: FrameDeps, window: LandingWindowName): Promise<LandingFrame | undefined> {
  const { client, reads, feed, clock } = deps;
  // Before the rows: what comes late while they are read may not be in all of them.
  const [coverage, whole, wholeSince] = await Promise.all([readCoverage(client), deps.unbroken(), deps.wholeSince()]);
  const mark = feed.committedSlot;
  const newest = await readChainTime(client, mark, Math.floor(clock.now() / 1_000));
  if (newest === undefined) return undefined;
  const { seconds, isExact } = LANDING_WINDOWS[window];
  const { now } = newest;
  const second = Math.max(0, now - seconds);
  const begin = isExact ? second : minuteOf(second);
  const stored = Math.max(wholeSince.get('swaps') ?? 0, wholeSince.get('attempts') ?? 0);
  const from = Math.max(begin, stored);
  // While it is not known since when slots are whole, nothing is known to be there.
  const since = Math.max(from, whole?.since ?? now);
  const keptFrom = isExact ? from : Math.max(minuteOf(Math.max(0, now - KEPT_S)), stored);
  const slots = { from: firstSlotOf(newest.slot, (isExact ? seconds : KEPT_S) + MINUTE_S), mark };
  const kept = await reads.blocks(slots, keptFrom, now);
  const minutes = kept.filter(({ start }) => start + MINUTE_S > from);
  return { mark, now, from, since: since > begin ? since : undefined, minutes, kept, coverage };
}

/** False where the source told of no transaction that failed, in the window or for a while: then those that landed are all that is known. */
export function knowsReverted({ minutes }: Pick<LandingFrame, 'minutes'>): boolean {
  const isSilent = minutes.some(({ failed, transactions }) => failed === 0n && transactions >= TELLING_TRANSACTIONS);
  return !isSilent && minutes.some(({ failed }) => failed > 0n);
}

/** What some minutes in a row, or all, have: undefined where they have no block. */
export function spanOf(
  { minutes }: Pick<LandingFrame, 'minutes'>,
  since: number,
  until: number,
): LandingSpan | undefined {
  const inside = minutes.filter(({ start }) => start + MINUTE_S > since && start <= until);
  if (inside.length === 0) return undefined;
  return {
    first: Math.min(...inside.map(({ first }) => first)),
    last: Math.max(...inside.map(({ last }) => last)),
    since,
    until,
  };
}

/**
 * What sums of each minute hang on: its blocks, those of the slots before it in which tokens may have been created, and
 * which of all these slots are whole. A block that comes late changes it, and once more when all of its rows are there.
 */
export function minuteKeys({ kept, coverage }: Pick<LandingFrame, 'kept' | 'coverage'>): Map<number, string> {
  const keys = new Map<number, string>();
  for (let at = 0; at < kept.length; at += 1) {
    const { start, first, last } = kept[at]!;
    const reach = first - SLOTS_BEHIND + 1;
    let key = '';
    for (let before = at; before >= 0; before -= 1) {
      const each = kept[before]!;
      if (before < at && each.last < reach) break;
      key += `${each.blocks} ${each.slots} `;
    }
    keys.set(start, key + holesOf(coverage, reach, last));
  }
  return keys;
}

function holesOf(coverage: Coverage, first: number, last: number): string {
  const range = { first: Math.max(0, first), last };
  if (coversRange(coverage, range)) return '';
  return missingRanges(coverage, range)
    .map((hole) => `${hole.first}-${hole.last}`)
    .join();
}
