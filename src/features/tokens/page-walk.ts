import type { ListPlace } from './mint-reads.ts';

/** Some places of a list, in its order. */
export interface PlacesRead {
  readonly places: readonly ListPlace[];
  /** True when nothing lies behind them. */
  readonly ends: boolean;
}

/** What a page shows, and how far it has looked: what is behind that place is the next page's. Undefined at the end. */
export interface PageWalk {
  readonly shown: readonly ListPlace[];
  readonly next: ListPlace | undefined;
}

export interface PageBounds {
  /** Rows of the page. */
  readonly limit: number;
  /** Tokens that it looks at. */
  readonly most: number;
}

/**
 * Looks through a list from where a page begins, until it is full, or has looked at as many tokens as it may. The next one
 * goes on behind the last token that was looked at, shown or not: none is lost, and none comes twice.
 *
 * @param read so many places behind the one given, or behind the page's beginning.
 * @param judge says of each place whether it is shown; undefined when that cannot be said.
 */
export async function walkPage(
  { limit, most }: PageBounds,
  read: (behind: ListPlace | undefined, left: number) => Promise<PlacesRead>,
  judge: (places: readonly ListPlace[]) => Promise<readonly boolean[] | undefined>,
): Promise<PageWalk | undefined> {
  const shown: ListPlace[] = [];
  let last: ListPlace | undefined;
  for (let looked = 0; ; ) {
    const { places, ends } = await read(last, most - looked);
    if (places.length === 0) return ends ? { shown, next: undefined } : undefined;
    const verdicts = await judge(places);
    if (verdicts === undefined) return undefined;
    for (const [at, place] of places.entries()) {
      looked += 1;
      last = place;
      if (verdicts[at]) shown.push(place);
      if (shown.length < limit && looked < most) continue;
      return { shown, next: ends && at === places.length - 1 ? undefined : place };
    }
    if (ends) return { shown, next: undefined };
  }
}
