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
export async function fillNames({ reads, clock, limits, signal }: FillDeps, mark: number): Promise<FilledIndex> {
  const index = new SearchIndex(clock, limits);
  const { told, tokens, traded } = await reads.counts();
  const room = Math.floor(limits.tokens * FILLED_SHARE);
  // What never traded goes first, the oldest of it; only when there is no room for what did, its oldest too.
  const cutoffs = tokens > room ? await reads.cutoffs(Math.max(0, room - traded), room) : EVERYTHING;
  const pages = Math.min(MINT_RANGE_END, Math.max(1, Math.ceil(told / ROWS_AT_ONCE)));
  let isPartial = false;
  for (let page = 0; page < pages && !signal.aborted; page += 1) {
    const bound = (at: number) => Math.round((MINT_RANGE_END * at) / pages);
    const names = await reads.names({ low: bound(page), high: bound(page + 1) }, mark);
    const taken = await takeIn(index, names, { cutoffs, clock });
    if (taken < names.length) isPartial = true;
  }
  return { index, isPartial };
}

const EVERYTHING: NameCutoffs = { untradedSlot: 0, tradedSlot: 0 };

async function takeIn(
  index: SearchIndex,
  names: readonly StoredName[],
  { cutoffs, clock }: { readonly cutoffs: NameCutoffs; readonly clock: Pick<Clock, 'elapsed'> },
): Promise<number> {
  let begun = clock.elapsed();
  let taken = 0;
  for (const [at, token] of names.entries()) {
    if (isKept(token, cutoffs) && index.add(token)) taken += 1;
    if (at % STRIDE !== 0 || clock.elapsed() - begun < SLICE_MS) continue;
    await pause();
    begun = clock.elapsed();
  }
  while (index.work()) await pause();
  return taken;
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
