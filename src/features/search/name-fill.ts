import type { Clock } from '../../kernel/clock.ts';
import { SearchIndex, type SearchLimits } from '../../search/search-index.ts';
import { MINT_RANGE_END, type NameCutoffs, type NameReads, type StoredName } from './name-reads.ts';

export interface FillDeps {
  readonly reads: NameReads;
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly limits: SearchLimits;
  readonly signal: AbortSignal;
}

export interface FilledIndex {
  readonly index: SearchIndex;
  /** True when tokens were left out. */
  readonly isPartial: boolean;
}

/** Rows that one read gives. */
const ROWS_AT_ONCE = 5_000;
/** Tokens taken in between two looks at the clock. */
const STRIDE = 50;
/** Milliseconds that the event loop is held at a time. */
const SLICE_MS = 4;
/** Share of the room that is filled: the rest is for tokens to come, before the oldest have to go again. */
const FILLED_SHARE = 0.9;

/** Reads the names of all tokens as they stood at slot `mark`, or of the newest, where there is no room for all. */
export async function fillNames(deps: FillDeps, mark: number): Promise<FilledIndex> {
  let room = Math.floor(deps.limits.tokens * FILLED_SHARE);
  for (;;) {
    const { filled, isLeftOut } = await fillUpTo(room, deps, mark);
    if (!isLeftOut) return filled;
    // Names are longer than there is room for so many of: what was taken in until then tells for how many there is.
    room = Math.floor(filled.index.size * FILLED_SHARE);
  }
}

interface Filling {
  readonly filled: FilledIndex;
  /** True when tokens were left out that are newer than those that there is no room for. */
  readonly isLeftOut: boolean;
}

async function fillUpTo(room: number, { reads, clock, limits, signal }: FillDeps, mark: number): Promise<Filling> {
  const index = new SearchIndex(clock, limits);
  const { told, tokens, traded } = await reads.counts();
  // What never traded goes first, the oldest of it; only when there is no room for what did, its oldest too.
  const cutoffs = tokens > room ? await reads.cutoffs(Math.max(0, room - traded), room) : EVERYTHING;
  const pages = Math.min(MINT_RANGE_END, Math.max(1, Math.ceil(told / ROWS_AT_ONCE)));
  let isPartial = false;
  for (let page = 0; page < pages && !signal.aborted; page += 1) {
    const bound = (at: number) => Math.round((MINT_RANGE_END * at) / pages);
    const names = await reads.names({ low: bound(page), high: bound(page + 1) }, mark);
    const kept = names.filter((token) => isKept(token, cutoffs));
    if (kept.length < names.length) isPartial = true;
    if (!(await takeIn(index, kept, clock))) return { filled: { index, isPartial: true }, isLeftOut: room > 0 };
  }
  return { filled: { index, isPartial }, isLeftOut: false };
}

const EVERYTHING: NameCutoffs = { untradedSlot: 0, tradedSlot: 0 };

/** False when there was no room for all of them. */
async function takeIn(
  index: SearchIndex,
  names: readonly StoredName[],
  clock: Pick<Clock, 'elapsed'>,
): Promise<boolean> {
  let begun = clock.elapsed();
  for (const [at, token] of names.entries()) {
    if (!index.add(token)) return false;
    if (at % STRIDE !== 0 || clock.elapsed() - begun < SLICE_MS) continue;
    await pause();
    begun = clock.elapsed();
  }
  while (index.work()) await pause();
  return true;
}

/** True for a token that is newer than those that there is no room for. */
export function isKept({ slot, tradedSlot }: StoredName, cutoffs: NameCutoffs): boolean {
  return tradedSlot > 0 ? tradedSlot > cutoffs.tradedSlot : slot > cutoffs.untradedSlot || cutoffs.untradedSlot === 0;
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
