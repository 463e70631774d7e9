import type { ListLimits } from '../../books/book-limits.ts';
import type { BookMemory } from '../../books/book-set.ts';
import { createBookShelf } from '../../books/book-shelf.ts';
import { jsonBody } from '../../books/json-text.ts';
import { createRefreshed, itself } from '../../books/refreshed.ts';
import { createStampMemo } from '../../books/stamp-memo.ts';
import type { Address } from '../../chain/address.ts';
import { isAddress } from '../../contract/address.ts';
import { stampBody } from '../../contract/stamp.ts';
import type { TokenListRow } from '../../contract/token.ts';
import type { Written } from '../../contract/written.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Market } from '../../market/market.ts';
import { windowFigures } from '../../market/window-figures.ts';
import type { SearchQuery } from '../../search/query.ts';
import type { SearchLimits } from '../../search/search-index.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { type CreatedLeaders, NO_CREATED_LEADERS, withCreatedLeaders } from '../../token/created-leader.ts';
import { listRow } from '../../token/list-row.ts';
import { type ListedToken, readListedTokens, readTradeFigures } from '../../token/listed-reads.ts';
import { gatherListings, listingSection } from '../../token/listing-section.ts';
import { newestSlotOf, notSettled, untilCommitted } from '../../token/settled.ts';
import { isKnown, nameOf } from '../../token/state.ts';
import { createLookupReads } from './by-name-reads.ts';
import type { Suggestion, TokenSearch } from './contract.ts';
import { createNameIndex } from './name-index.ts';
import { createNameReads } from './name-reads.ts';

/** Tokens by what they are called. */
export interface SearchAnswers {
  search(query: SearchQuery, limit: number): Buffer | Promise<Buffer>;
  /** `text` is what was typed: an address may be a wallet's. */
  suggest(text: string, query: SearchQuery): Buffer | Promise<Buffer>;
  byName(name: string, limit: number): Buffer | Promise<Buffer>;
}

export interface ClosableSearchAnswers extends SearchAnswers {
  /** Memory of the rows, and of the names. */
  memory(): BookMemory;
  names(): BookMemory;
  close(): void;
}

export interface SearchAnswersDeps {
  readonly client: StoreClient;
  readonly feed: Feed;
  readonly market: Pick<Market, 'ready' | 'version' | 'windows'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly limits: ListLimits;
  readonly searchLimits?: SearchLimits;
  /** Who led the slots of creations; nobody when left out. */
  readonly createdLeaders?: CreatedLeaders;
  /** Dollars per SOL, undefined while unknown. */
  readonly solUsd: () => number | undefined;
}

/** Different answers kept, each until the next block or second. */
const SHARED = 500;
/** Different answers kept of exact names: each has up to 500 rows. */
const SHARED_NAMES = 64;
/** Rows of searches are kept beside those of lists, and fewer of them. */
const ROWS_SHARE = 4;
const SUGGESTIONS = 10;
/** Times that an answer is made of memory, when blocks come while it is; behind these it is the store's. */
const MEMORY_ROUNDS = 3;
/** Times that rows are read from the store at most, when flushes are under way. */
const STORE_ROUNDS = 6;

export function createSearchAnswers(deps: SearchAnswersDeps): ClosableSearchAnswers {
  const { client, feed, market, clock, log, limits, searchLimits, solUsd } = deps;
  const lookups = createLookupReads(client);
  const names = createNameIndex({
    ...{ reads: createNameReads(client), feed, clock, log },
    ...(searchLimits === undefined ? {} : { limits: searchLimits }),
  });
  const maxBytes = Math.floor(limits.maxBytes / ROWS_SHARE);
  const shelf = createBookShelf({ feed, limits: { maxBytes, maxBooks: limits.maxBooks, maxSections: 1 } });
  const listTokens = withCreatedLeaders(
    (mints, mark) => readListedTokens(client, mints, mark),
    deps.createdLeaders ?? NO_CREATED_LEADERS,
  );
  const listings = gatherListings({ listTokens });
  const shared = createStampMemo<Buffer>(SHARED);
  const stored = createRefreshed<Buffer>({ clock, capacity: SHARED });
  const named = createRefreshed<Buffer>({ clock, capacity: SHARED_NAMES });
  const second = () => Math.floor(clock.now() / 1000);
  const partial = () => names.isPartial || undefined;

  /** Rows out of memory, of one slot; undefined when blocks come faster than that. */
  async function hotSearch(query: SearchQuery, limit: number): Promise<Buffer | undefined> {
    for (let round = 1; round <= MEMORY_ROUNDS; round += 1) {
      // While windows are read the store tells of the same.
      if (!(await market.ready())) return undefined;
      const found = await names.find(query, { limit });
      const { version } = names;
      const slot = Math.max(feed.headSlot, feed.committedSlot);
      const following = shelf.follow();
      const sections = await Promise.all(
        found.map(({ mint }) => following.open(mint as Address, listingSection(listings, mint as Address))),
      );
      const { windows } = market;
      const { least, most } = following.stand();
      if (windows === undefined || names.version !== version || least !== most) continue;
      const data = sections.map(({ token }) => listRow(token, windowFigures(windows, token.mint), solUsd()));
      const body = { data, partial: partial() } satisfies Written<TokenSearch>;
      return stampBody(jsonBody(body), Math.min(slot, least));
    }
    return undefined;
  }

  /** Rows out of the store alone, as they stand at the slot that it answers for. */
  async function storedRows(
    find: (mark: number) => Promise<readonly Address[]>,
    isShown: (token: ListedToken) => boolean,
  ): Promise<{ readonly data: Written<TokenListRow>[]; readonly mark: number }> {
    for (let round = 1; ; round += 1) {
      const mark = feed.committedSlot;
      const mints = await find(mark);
      const [tokens, figures] = await Promise.all([
        listTokens(mints, mark),
        readTradeFigures(client, mints, mark, second()),
      ]);
      const swaps = tokens.flatMap(({ facts }) => [
        ...(facts.highs ?? []),
        ...(facts.lastSwap ? [facts.lastSwap] : []),
      ]);
      const newest = newestSlotOf(swaps, mark);
      if (newest <= mark) {
        const data = tokens.flatMap((token, place) =>
          isShown(token) ? listRow(token, figures[place]!, solUsd()) : [],
        );
        return { data, mark };
      }
      if (round === STORE_ROUNDS) throw notSettled();
      await untilCommitted(newest, { feed, clock });
    }
  }

  async function storedSearch(query: SearchQuery, limit: number): Promise<Buffer> {
    const { data, mark } = await storedRows(async (upTo) => {
      const found = await names.find(query, { limit, upTo });
      return found.map(({ mint }) => mint as Address);
    }, isTold);
    return stampBody(jsonBody({ data, partial: partial() } satisfies Written<TokenSearch>), mark);
  }

  async function suggestions(text: string, query: SearchQuery): Promise<Buffer> {
    await names.ready();
    const address = text.trim();
    const mark = feed.committedSlot;
    const kind = isAddress(address) ? await lookups.walletKind(address as Address, mark) : undefined;
    const found = await names.find(query, {
      limit: SUGGESTIONS,
      // What the store says of a wallet is of its slot, and so are the tokens beside it.
      ...(isAddress(address) ? { upTo: mark } : {}),
    });
    const wallets: Written<Suggestion>[] = kind === undefined ? [] : [{ wallet: address, kind }];
    const tokens = found.map(({ mint, symbol, name }) => ({
      ...{ mint, symbol: symbol || undefined, name: name || undefined },
      kind: 'token' as const,
    }));
    const body = jsonBody({ data: [...wallets, ...tokens].slice(0, SUGGESTIONS), partial: partial() });
    return isAddress(address) ? stampBody(body, mark) : stampBody(body, Math.max(feed.headSlot, feed.committedSlot));
  }

  const stampNow = () => `${names.version} ${market.version} ${second()} ${solUsd()}`;
  return {
    search(query, limit) {
      const name = `${limit} ${query.mint?.toString() ?? ''} ${query.folded}`;
      return shared.get(`search ${name}`, stampNow(), () => hotOrStored(name, query, limit));
    },
    suggest: (text, query) =>
      shared.get(`suggest ${text.trim()}`, `${stampNow()} ${feed.committedSlot}`, () => suggestions(text, query)),
    byName(name, limit) {
      const read = async () => {
        const { data, mark } = await storedRows(
          async (upTo) => (await lookups.mintsOfName(name, upTo, limit)).slice(0, limit),
          (token) => isTold(token) && nameOf({ mint: token.mint, ...token.facts }).name === name,
        );
        return stampBody(jsonBody({ data }), mark);
      };
      return named.with(`${limit} ${name}`, read, itself);
    },
    memory: () => shelf.memory,
    names: () => names.memory,
    close() {
      names.close();
      shelf.close();
    },
  };

  async function hotOrStored(name: string, query: SearchQuery, limit: number): Promise<Buffer> {
    const hot = await hotSearch(query, limit);
    return hot ?? (await stored.get(`search ${name}`, () => storedSearch(query, limit))).value;
  }
}

function isTold({ mint, facts }: ListedToken): boolean {
  return isKnown({ mint, ...facts });
}
