import type { Address } from '../../chain/address.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { MarketWindows } from '../../market/market-windows.ts';
import { Portions } from '../../market/portions.ts';
import { volumeOf } from '../../market/window-figures.ts';
import { newestSlotOf } from '../../token/settled.ts';
import { volumeIn } from '../../token/trade-figures.ts';
import type { MarketReads } from './list-reads.ts';
import type { ListPlace, ListWindow } from './mint-reads.ts';
import { type PageWalk, type PlacesRead, walkPage } from './page-walk.ts';
import { mayHaveVolume, passesScreen, type ScreenFilter } from './screen-rules.ts';
import type { ScreenedTokens, ValuesByMint } from './screened-tokens.ts';

/** Tokens that are judged between two turns of others. */
const JUDGED_TOGETHER = 500;
/** Tokens that a page reads from the store first, and how many times as many then: most pages are full soon. */
const FIRST_READ = 1_000;
const READ_GROWTH = 3;
/** Tokens whose figures are read together. */
const FIGURES_TOGETHER = 1_000;

/** What a page asks for: its window is as long as what it may look at. */
export interface PageQuestion {
  readonly window: ListWindow;
  readonly limit: number;
  readonly screen: ScreenFilter | undefined;
}

export interface HotPage {
  /** From where the page begins, one more than it looks at where there are so many. */
  readonly reached: PlacesRead;
  readonly windows: MarketWindows;
  readonly screened: ScreenedTokens;
  readonly clock: Clock;
  /** False once a block came: then others are judged than are shown. */
  readonly stands: () => boolean;
}

/** A page out of memory; undefined where that does not reach, or blocks came meanwhile. */
export function walkMemory({ window, limit, screen }: PageQuestion, page: HotPage): Promise<PageWalk | undefined> {
  const { reached, windows, screened, stands } = page;
  const most = window.limit;
  // Whether anything lies behind the last place of orders that go on in the store, nobody knows.
  const isWhole = reached.ends || reached.places.length > most;
  const places = isWhole ? reached.places : reached.places.slice(0, -1);
  const portions = new Portions(page.clock);
  let at = 0;
  return walkPage(
    { limit, most },
    async (_behind, left) => {
      await portions.turn();
      const next = places.slice(at, at + Math.min(left, screen === undefined ? left : JUDGED_TOGETHER));
      at += next.length;
      return { places: next, ends: reached.ends && at >= places.length };
    },
    async (judged) => {
      if (screen === undefined) return judged.map(() => true);
      if (!stands()) return undefined;
      const { minVolume = 0n } = screen;
      const asked = judged.flatMap(({ mint }) =>
        minVolume === 0n || volumeOf(windows, mint, '') >= minVolume ? [mint] : [],
      );
      const values = await screened.atHead(asked);
      return values && judged.map(({ mint }) => values.has(mint) && passesScreen(screen, values.get(mint)!));
    },
  );
}

export interface StoredPage {
  readonly reads: MarketReads;
  readonly screened: ScreenedTokens;
  /** Slot that the store answers for. */
  readonly mark: number;
  /** Unix seconds by the clock on the wall. */
  readonly wall: number;
}

/** The same out of the store. `newest`: the newest slot among what was looked at, which may be one that is being written. */
export async function walkStore(
  { window, limit, screen }: PageQuestion,
  { reads, screened, mark, wall }: StoredPage,
): Promise<PageWalk & { readonly newest: number }> {
  let newest = mark;
  // The order of the newest swap moves with every flush: parts of it that are read one after the other would not fit.
  let size = screen === undefined || window.sort === 'last_trade' ? window.limit : FIRST_READ;
  const walked = await walkPage(
    { limit, most: window.limit },
    async (behind, left) => {
      const count = Math.min(left, size);
      size *= READ_GROWTH;
      const places = await reads.listMints(mark, { ...window, cursor: behind ?? window.cursor, limit: count + 1 });
      newest = newestSlotOf(places, newest);
      return { places: places.slice(0, count), ends: places.length <= count };
    },
    async (judged) => (screen === undefined ? judged.map(() => true) : judgeStored(screen, judged)),
  );
  return { ...walked!, newest };

  async function judgeStored(filter: ScreenFilter, judged: readonly ListPlace[]): Promise<readonly boolean[]> {
    const values = await screened.atMark(
      judged.map(({ mint }) => mint),
      mark,
    );
    let passing = judged.flatMap(({ mint }) => (passesScreen(filter, values.get(mint)!) ? [mint] : []));
    const { minVolume = 0n } = filter;
    if (minVolume > 0n) passing = await withVolume(passing, { minVolume, values });
    const shown = new Set(passing);
    return judged.map(({ mint }) => shown.has(mint));
  }

  async function withVolume(
    mints: readonly Address[],
    { minVolume, values }: { readonly minVolume: bigint; readonly values: ValuesByMint },
  ): Promise<Address[]> {
    const passing: Address[] = [];
    let left = mints;
    while (left.length > 0) {
      const asked = left.slice(0, FIGURES_TOGETHER);
      const figures = await reads.listFigures(asked, mark, wall);
      passing.push(...asked.filter((_mint, place) => volumeIn(figures[place]!, '') >= minVolume));
      // The first answer tells what time it is on the chain: most tokens were not traded for hours.
      const { now } = figures[0]!;
      left = left.slice(asked.length).filter((mint) => mayHaveVolume(values.get(mint)!, now));
    }
    return passing;
  }
}
