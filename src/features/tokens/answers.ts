import type { Body } from '../../books/body-cache.ts';
import type { ListLimits } from '../../books/book-limits.ts';
import type { BookMemory } from '../../books/book-set.ts';
import type { BookShelf } from '../../books/book-shelf.ts';
import type { Address } from '../../chain/address.ts';
import { Absence } from '../../contract/stamp.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import { createCurveReads } from '../../market/curve-reads.ts';
import { createFollowedCurves } from '../../market/followed-curves.ts';
import type { Market } from '../../market/market.ts';
import { createWindowReads } from '../../market/market-reads.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { type CreatedLeaders, NO_CREATED_LEADERS, withCreatedLeaders } from '../../token/created-leader.ts';
import { createUnbrokenReader, createWholeSince } from '../../token/history.ts';
import { createKeptAnswers } from '../../token/kept-answers.ts';
import { openKnownToken } from '../../token/known-token.ts';
import { asOfOneSlot } from '../../token/one-slot.ts';
import { snapshotBody, type TokenState } from '../../token/state.ts';
import { createTokenReads, type TokenReads } from '../../token/token-reads.ts';
import { batchAtOnce, batchBody } from './batch-body.ts';
import { createGraduating } from './graduating.ts';
import type { GraduatingFilter } from './graduating-rules.ts';
import { createMarketReads } from './list-reads.ts';
import { createTokenLists, type TokenFilter } from './lists.ts';
import { createTrending } from './trending.ts';

/** Tokens as they stand. */
export interface TokenAnswers {
  snapshot(mint: Address): Body;
  /** Snapshots of several tokens, and which of them nothing is known of. */
  batch(mints: readonly Address[]): Promise<Buffer>;
  list(filter: TokenFilter): Promise<Buffer>;
  /** Tokens with most volume in a window of so many seconds. */
  trending(window: number, limit: number, spark: boolean): Buffer | Promise<Buffer>;
  /** Curves by how soon they are sold out. */
  graduating(filter: GraduatingFilter): Buffer | Promise<Buffer>;
}

export interface ClosableTokenAnswers extends TokenAnswers {
  /** Memory of the lists' rows, and of curves. */
  memory(): Readonly<Record<'lists' | 'curves', BookMemory>>;
  /** Reads the orders of all lists, beside everything else. */
  warm(): void;
  /** Stops following the feed. */
  close(): void;
}

export interface TokenAnswersDeps {
  readonly client: StoreClient;
  readonly feed: Feed;
  readonly market: Market;
  readonly clock: Clock;
  readonly log: Logger;
  readonly shelf: BookShelf;
  readonly limits: ListLimits;
  /** Dollars per SOL, undefined while unknown. */
  readonly solUsd: () => number | undefined;
  /** Who led the slots of creations; nobody when left out. */
  readonly createdLeaders?: CreatedLeaders;
}

export function createTokenAnswers(deps: TokenAnswersDeps): ClosableTokenAnswers {
  const { client, feed, clock, shelf, log, solUsd, createdLeaders = NO_CREATED_LEADERS } = deps;
  const reads = createTokenReads(client);
  const marketReads = createMarketReads(client);
  const listTokens = withCreatedLeaders(marketReads.listTokens, createdLeaders);
  const lists = createTokenLists({ ...deps, reads: { ...marketReads, listTokens } });
  const known = { unbroken: createUnbrokenReader(client, clock), wholeSince: createWholeSince(client, clock) };
  const curves = createFollowedCurves({
    ...{ reads: createCurveReads(client, createWindowReads(client)), feed, clock, log },
  });
  const graduating = createGraduating({ ...deps, ...lists.rows, ...known, curves });
  const trending = createTrending({ ...deps, ...lists.rows, ...known });
  const snapshot = createSnapshots({ ...deps, reads });
  return {
    snapshot,
    batch: (mints) =>
      batchAtOnce({
        ...{ feed, shelf },
        make: () => batchBody(mints, snapshot),
        makeStored: () =>
          asOfOneSlot({ follow: shelf.followStore, followStore: shelf.followStore }, async (following) => {
            const known = async (mint: Address) => {
              const token = await openKnownToken({ reads, following }, mint);
              if (token instanceof Absence) return token;
              await createdLeaders.ready(slotsOf(token.state));
              return snapshotBody(token.state, solUsd(), createdLeaders.at);
            };
            return (await batchBody(mints, known)).body;
          }),
      }),
    list: lists.list,
    trending: trending.list,
    graduating: graduating.list,
    memory: () => ({ lists: lists.memory, curves: curves.memory }),
    warm() {
      curves.warm();
      const ready = lists.list(FIRST_LIST).then(() => lists.list(FIRST_SCREENED));
      ready.catch((error: unknown) => {
        log.warn({ err: String(error) }, 'the token list is not warm yet; the first request for it waits');
      });
    },
    close() {
      curves.close();
      lists.close();
    },
  };
}

/** One token's snapshot, out of its book. */
export function createSnapshots({
  reads,
  shelf,
  solUsd,
  createdLeaders = NO_CREATED_LEADERS,
}: Pick<TokenAnswersDeps, 'shelf' | 'solUsd' | 'createdLeaders'> & {
  readonly reads: TokenReads;
}): TokenAnswers['snapshot'] {
  const answer = createKeptAnswers({ reads, shelf });
  let told: readonly unknown[] = [];
  let stamp = 0;
  return (mint) => {
    const usd = solUsd();
    const now = [usd, createdLeaders.changes];
    // A body of another price of SOL, or of leaders as they were known, gives way to one of this.
    if (now.some((each, at) => each !== told[at])) stamp += 1;
    told = now;
    return answer(mint, { name: 'snapshot', stamp }, async ({ token, passing }) => {
      const leaders = createdLeaders.ready(slotsOf(token()));
      if (leaders !== undefined && !(await leaders)) passing();
      return snapshotBody(token(), usd, createdLeaders.at);
    });
  };
}

/** The slot of the token's creation, when it was seen. */
function slotsOf({ creation }: TokenState): number[] {
  return creation === undefined || creation.slot === 0 ? [] : [creation.slot];
}

/** Filter of a list that is asked for without parameters: making it reads the orders of all lists. */
const FIRST_LIST: TokenFilter = {
  sort: 'newest',
  graduated: undefined,
  creator: undefined,
  from: undefined,
  to: undefined,
  limit: 100,
  cursor: undefined,
};

/** One that nothing passes: making it looks at as many tokens as a page may, and what filters judge of them is kept. */
const FIRST_SCREENED: TokenFilter = { ...FIRST_LIST, screen: { minTraders: Number.MAX_SAFE_INTEGER } };
