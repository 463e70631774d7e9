import type { ListLimits } from '../../books/book-limits.ts';
import type { BookMemory } from '../../books/book-set.ts';
import { createBookShelf } from '../../books/book-shelf.ts';
import { jsonBody, listBody } from '../../books/json-text.ts';
import { createRefreshed } from '../../books/refreshed.ts';
import { createStampMemo } from '../../books/stamp-memo.ts';
import type { Address } from '../../chain/address.ts';
import { stampBody } from '../../contract/stamp.ts';
import { decodeTokenCursor, encodeTokenCursor } from '../../contract/token-cursor.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Market } from '../../market/market.ts';
import { Portions } from '../../market/portions.ts';
import { windowFigures } from '../../market/window-figures.ts';
import { listRow } from '../../token/list-row.ts';
import type { ListedToken } from '../../token/listed-reads.ts';
import { gatherListings } from '../../token/listing-section.ts';
import { newestSlotOf, notSettled, untilCommitted } from '../../token/settled.ts';
import { statusOf } from '../../token/state.ts';
import { type TradeFigures, volumeIn } from '../../token/trade-figures.ts';
import { MAX_LOOKED_AT } from './contract-limits.ts';
import { type PageQuestion, walkMemory, walkStore } from './list-pages.ts';
import type { MarketReads } from './list-reads.ts';
import { type ListedRows, type ListedRowsDeps, openListedRows } from './listed-rows.ts';
import type { ListPlace, ListWindow } from './mint-reads.ts';
import type { PageWalk } from './page-walk.ts';
import { passesScreen, type ScreenFilter, screenValues } from './screen-rules.ts';
import { createScreenedTokens } from './screened-tokens.ts';
import { createTokenIndex, isOrderAlone } from './token-index.ts';

/** Different pages kept of each kind: out of memory until the next block, out of the store for some seconds. */
const SHARED_LISTS = 200;
/** Times that a page is made of memory, when blocks come while it is; behind these it is the store's. */
const MEMORY_ROUNDS = 3;
/** Rows whose prices through the hour are looked up between two turns of others. */
const STEPPED_TOGETHER = 50;
/** Times that a page is read from the store at most, when flushes are under way. */
const STORE_ROUNDS = 6;

/** Tokens of which it is kept what filters are about, for each one of an order. */
const KEPT_FACTOR = 5;

export interface TokenLists {
  /** @throws {ApiError} `warming_up` when volume is asked for while windows are being read. */
  list(filter: TokenFilter): Promise<Buffer>;
  /** What rows of other lists are opened with: they lie in the same memory. */
  readonly rows: Pick<ListedRowsDeps, 'shelf' | 'listings'>;
  /** Of the tokens' rows; the orders are bounded by their number. */
  readonly memory: BookMemory;
  close(): void;
}

export interface TokenListsDeps {
  readonly reads: MarketReads;
  readonly feed: Feed;
  readonly market: Pick<Market, 'open' | 'ready' | 'version' | 'windows'>;
  readonly clock: Clock;
  readonly limits: ListLimits;
  /** Dollars per SOL, undefined while unknown. */
  readonly solUsd: () => number | undefined;
  /** Tokens that one page of a filtered list looks at. */
  readonly lookedAt?: number;
}

/**
 * Pages of the token list: order and rows out of memory, or by reads of the
 * store over the page's tokens. The same page is made at most once a block,
 * whoever asks; one that the store is asked for, every two
 * seconds, and up to five when that takes long.
 */
export function createTokenLists(deps: TokenListsDeps): TokenLists {
  const { reads, feed, market, clock, limits, solUsd, lookedAt = MAX_LOOKED_AT } = deps;
  const pages = createStampMemo<Buffer | undefined>(SHARED_LISTS);
  const stored = createRefreshed<Buffer>({ clock, capacity: SHARED_LISTS });
  const index = createTokenIndex({ reads, feed, clock, size: limits.tokens });
  const shelf = createBookShelf({ feed, limits: { ...limits, maxSections: 1 } });
  const listings = gatherListings(reads);
  const rows = { shelf, listings, feed, market };
  const screened = createScreenedTokens({ ...rows, reads, capacity: KEPT_FACTOR * limits.tokens });

  function questionOf(filter: TokenFilter): PageQuestion {
    const { limit, screen } = filter;
    return { window: windowOf(filter, screen === undefined ? limit : lookedAt), limit, screen };
  }

  /** The orders in memory know nothing of what a token has become: that is judged as other filters are. */
  function memoryQuestion(filter: TokenFilter): PageQuestion {
    const { graduated } = filter;
    if (graduated === undefined) return questionOf(filter);
    return questionOf({ ...filter, graduated: undefined, screen: { ...filter.screen, graduated } });
  }

  /** Orders and rows out of memory, of one slot; undefined when the store has to be asked. */
  async function hotPage(filter: TokenFilter, usd: number | undefined): Promise<Buffer | undefined> {
    const question = memoryQuestion(filter);
    for (let round = 1; round <= MEMORY_ROUNDS; round += 1) {
      // While windows are read the store tells of the same.
      if (!(await market.ready())) return undefined;
      const reached = await index.reach({ ...question.window, limit: question.window.limit + 1 });
      const { windows } = market;
      if (reached === undefined || windows === undefined) return undefined;
      const { version } = index;
      const stands = () => index.version === version;
      const walked = await walkMemory(question, { reached, windows, screened, clock, stands });
      // A block came while it was looked through, or a row was read: the next time all of them are at hand.
      if (!stands()) continue;
      if (walked === undefined) return undefined;
      // The store finds those that graduated, or did not, however far back they are.
      const isShort = walked.shown.length < question.limit && walked.next !== undefined;
      if (filter.graduated !== undefined && isShort) return undefined;
      const opened = await openListedRows(
        rows,
        walked.shown.map(({ mint }) => mint),
      );
      if (opened === undefined || !stands()) continue;
      if (question.screen !== undefined && opened.slot < feed.headSlot) continue;
      const figures = await figuresOf(opened, filter.spark);
      if (figures === undefined || !stands()) continue;
      return pageBody(filter, { walked, tokens: opened.tokens, figures, usd, slot: opened.slot });
    }
    return undefined;
  }

  /** What windows tell of rows; undefined when they moved meanwhile. */
  async function figuresOf({ tokens, windows }: ListedRows, isStepped = false): Promise<TradeFigures[] | undefined> {
    if (!isStepped) return tokens.map(({ mint }) => windowFigures(windows, mint));
    const { version } = market;
    const portions = new Portions(clock);
    const figures: TradeFigures[] = [];
    for (const [place, { mint }] of tokens.entries()) {
      // A row takes some thirty microseconds: a page of five hundred would hold up all others.
      if (place % STEPPED_TOGETHER === 0) await portions.turn();
      figures.push(windowFigures(windows, mint, true));
    }
    return market.version === version ? figures : undefined;
  }

  /** The same out of the store alone, as it stands at the slot it answers for. */
  async function storedPage(filter: TokenFilter, usd: number | undefined): Promise<Buffer> {
    for (let round = 1; ; round += 1) {
      const mark = feed.committedSlot;
      const wall = Math.floor(clock.now() / 1_000);
      const walked = await walkStore(questionOf(filter), { reads, screened, mark, wall });
      const mints = walked.shown.map(({ mint }) => mint);
      const [tokens, figures] = await Promise.all([
        reads.listTokens(mints, mark),
        reads.listFigures(mints, mark, wall, filter.spark),
      ]);
      const traded = tokens.flatMap(({ facts }) => [
        ...(facts.highs ?? []),
        ...(facts.lastSwap ? [facts.lastSwap] : []),
      ]);
      const newest = newestSlotOf(traded, walked.newest);
      if (newest <= mark) return pageBody(filter, { walked, tokens, figures, usd, slot: mark });
      if (round === STORE_ROUNDS) throw notSettled();
      // The newest swaps of tokens are those of a flush that is under way.
      await untilCommitted(newest, { feed, clock });
    }
  }

  return {
    async list(filter) {
      // Whose volume is asked for is not known while windows are being read.
      if (filter.screen?.minVolume !== undefined && market.windows === undefined) await market.open();
      const usd = solUsd();
      const name = nameOf(filter);
      const fromMemory = isOrderAlone(memoryQuestion(filter).window)
        ? pages.get(name, `${index.version} ${market.version} ${usd}`, () => hotPage(filter, usd))
        : undefined;
      const page = await fromMemory;
      return page ?? (await stored.get(name, () => storedPage(filter, usd))).value;
    },
    rows: { shelf, listings },
    get memory() {
      return shelf.memory;
    },
    close() {
      index.close();
      screened.close();
      shelf.close();
    },
  };
}

interface PageParts {
  readonly walked: PageWalk;
  /** Of the places shown, and what windows tell of them. */
  readonly tokens: readonly ListedToken[];
  readonly figures: readonly TradeFigures[];
  readonly usd: number | undefined;
  readonly slot: number;
}

function pageBody({ sort, graduated, screen }: TokenFilter, { walked, tokens, figures, usd, slot }: PageParts): Buffer {
  const rows = tokens.flatMap((token, place) => {
    const own = figures[place]!;
    return hasStatus(token, graduated) && isScreened(screen, token, own) ? jsonBody(listRow(token, own, usd)) : [];
  });
  return stampBody(listBody(rows, walked.next && cursorOf(sort, walked.next)), slot);
}

/** What a row tells decides, whoever judged it before. */
function isScreened(screen: ScreenFilter | undefined, token: ListedToken, figures: TradeFigures): boolean {
  if (screen === undefined) return true;
  const isTraded = screen.minVolume === undefined || volumeIn(figures, '') >= screen.minVolume;
  return isTraded && passesScreen(screen, screenValues(token));
}

function nameOf(filter: TokenFilter): string {
  return JSON.stringify(filter, (_name, value) => (typeof value === 'bigint' ? value.toString() : value));
}

/** The order and what is known of its tokens are read one after the other: one may have graduated in between. */
function hasStatus({ mint, facts }: ListedToken, graduated: boolean | undefined): boolean {
  return graduated === undefined || statusOf({ mint, ...facts }) === (graduated ? 'graduated' : 'bonding');
}

/** Bounds in milliseconds include whole seconds. */
function windowOf({ sort, graduated, creator, from, to, cursor }: TokenFilter, limit: number): ListWindow {
  return {
    ...{ sort, graduated, creator, limit },
    from: from === undefined ? undefined : Math.ceil(from / 1000),
    to: to === undefined ? undefined : Math.ceil(to / 1000),
    cursor: cursorPlace(cursor),
  };
}

function cursorPlace(cursor: string | undefined): ListPlace | undefined {
  const decoded = cursor === undefined ? undefined : decodeTokenCursor(cursor);
  if (decoded === undefined) return undefined;
  const { slot, blockIndex, ixIndex, mint } = decoded;
  return { slot, block_index: blockIndex, ix_index: ixIndex, mint: mint as Address };
}

function cursorOf(sort: TokenFilter['sort'], { slot, block_index, ix_index, mint }: ListPlace): string {
  return encodeTokenCursor({ sort, slot, blockIndex: block_index, ixIndex: ix_index, mint });
}

export interface TokenFilter {
  readonly sort: 'newest' | 'last_trade';
  /** Undefined = both. */
  readonly graduated: boolean | undefined;
  readonly creator: Address | undefined;
  /** Unix milliseconds, range on created_at, half-open. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly limit: number;
  readonly cursor: string | undefined;
  /** Undefined = nothing of it. */
  readonly screen?: ScreenFilter | undefined;
  /** Prices of the last hour are told. */
  readonly spark?: boolean | undefined;
}
