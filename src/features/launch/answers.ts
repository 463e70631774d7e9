import type { Body, BodyKey } from '../../books/body-cache.ts';
import type { BookShelf } from '../../books/book-shelf.ts';
import { createRefreshed } from '../../books/refreshed.ts';
import type { Address } from '../../chain/address.ts';
import { stampBody } from '../../contract/stamp.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { type CreatedLeaders, NO_CREATED_LEADERS } from '../../token/created-leader.ts';
import { firstSwapsSection } from '../../token/first-swaps.ts';
import {
  type CoverageReader,
  coversUpTo,
  createCoverageReader,
  createWholeSince,
  type HoldingsHistory,
  openWhole,
  type WholeSince,
} from '../../token/history.ts';
import { createKeptAnswers, type Making, untilNews } from '../../token/kept-answers.ts';
import { createRowReads, type RowReads } from '../../token/row-reads.ts';
import type { SettledDeps } from '../../token/settled.ts';
import { creatorOf, type TokenState } from '../../token/state.ts';
import { tokenSupply } from '../../token/supply.ts';
import { createTokenReads, type TokenReads } from '../../token/token-reads.ts';
import { readFundedBuyers } from '../movements/funded-buyer-reads.ts';
import { type BundleFunders, createBundleFunders } from './bundle-funders.ts';
import { MEMPOOL_ROWS } from './contract-limits.ts';
import { firstBuyersBody } from './first-buyer-body.ts';
import { firstBuyerSection } from './first-buyer-section.ts';
import { launchBody } from './launch-body.ts';
import { createLaunchReads, type LaunchReads } from './launch-reads.ts';
import { analyseLaunch } from './launch-rules.ts';
import { mempoolBuyersBody } from './mempool-body.ts';
import { readMempoolBuyers, readMempoolMark } from './mempool-reads.ts';
import { raceBody, unknownRaceBody } from './race-body.ts';
import { runRace } from './race-rules.ts';
import { raceSection } from './race-section.ts';

/** Answers about the first moments of tokens. */
export interface LaunchAnswers extends LaunchBooks {
  /** Wallets that tried to buy tokens before they were created, over the last `days` days. */
  mempoolBuyers(days: number): Body;
}

/** Answers about one token's launch. */
export interface LaunchBooks {
  /** Its first `limit` swaps, by who landed together. */
  launch(mint: Address, limit: number): Body;
  /** Wallets that tried to buy in the `slots` slots behind its creation. */
  race(mint: Address, slots: number): Body;
  /** The first `limit` wallets that bought. */
  firstBuyers(mint: Address, limit: number): Body;
}

export interface LaunchBooksDeps extends SettledDeps {
  readonly reads: LaunchReads & TokenReads & Pick<RowReads, 'swaps'>;
  readonly shelf: BookShelf;
  readonly wholeSince: WholeSince;
  readonly coverage: CoverageReader;
  /** Tells whether balances are folded of all of a token's life. */
  readonly isWhole: HoldingsHistory;
  readonly funders: BundleFunders;
  /** Who led the slots of races; nobody when left out. */
  readonly createdLeaders?: CreatedLeaders | undefined;
}

/** Facts that an answer is made of beside its rows. */
interface Known extends Pick<Making, 'open' | 'token'> {
  /** False when a table may have let rows of the token's first moments go. */
  readonly keeps: (table: 'swaps' | 'attempts') => boolean;
  /** False when slots between the token's creation and `last` are missing. */
  readonly covers: (last: number) => boolean;
  /** Says that the answer is not to be kept. */
  readonly passing: () => void;
}

export interface LaunchDeps {
  readonly client: StoreClient;
  readonly feed: Pick<Feed, 'committedSlot'>;
  readonly shelf: BookShelf;
  readonly clock: Clock;
  readonly isWhole: HoldingsHistory;
  readonly createdLeaders?: CreatedLeaders;
}

/** Answers about all tokens that are kept: a third of a megabyte each, one for each number of days. */
const KEPT_MEMPOOL_ANSWERS = 8;
const DAY_SECONDS = 86_400;

export function createLaunchAnswers({
  client,
  feed,
  shelf,
  clock,
  isWhole,
  createdLeaders,
}: LaunchDeps): LaunchAnswers {
  const books = createLaunchBooks({
    reads: { ...createTokenReads(client), ...createRowReads(client), ...createLaunchReads(client) },
    shelf,
    wholeSince: createWholeSince(client, clock),
    coverage: createCoverageReader(client, clock),
    isWhole,
    createdLeaders,
    feed,
    clock,
    funders: createBundleFunders({
      readBuyers: (question) => readFundedBuyers(client, question),
      committedSlot: () => feed.committedSlot,
      clock,
    }),
  });
  const mempool = createRefreshed<Buffer>({ clock, capacity: KEPT_MEMPOOL_ANSWERS });

  async function makeMempool(days: number): Promise<Buffer> {
    const since = Math.floor(clock.now() / 1000) - days * DAY_SECONDS;
    const committed = feed.committedSlot;
    const { slot, isWhole } = await readMempoolMark(client, days);
    const mark = Math.min(committed, slot);
    const rows = await readMempoolBuyers(client, since, mark, MEMPOOL_ROWS);
    return stampBody(mempoolBuyersBody(days, rows, !isWhole), mark);
  }

  return {
    ...books,
    mempoolBuyers: (days) =>
      mempool.ready(String(days))?.value ??
      mempool.get(String(days), () => makeMempool(days)).then(({ value }) => value),
  };
}

export function createLaunchBooks({
  reads,
  shelf,
  wholeSince,
  coverage,
  isWhole,
  funders,
  createdLeaders = NO_CREATED_LEADERS,
  feed,
  clock,
}: LaunchBooksDeps): LaunchBooks {
  const keep = createKeptAnswers({ reads, shelf });

  /** The answer at hand, or one that is made of the token's book and kept until the book changes. */
  function answer(mint: Address, name: string, build: (known: Known) => Promise<Buffer>): Body {
    return answerOf(mint, untilNews(name), build);
  }

  function answerOf(mint: Address, key: BodyKey, build: (known: Known) => Promise<Buffer>): Body {
    return shelf.bodies(mint)?.get(key) ?? make(mint, key, build);
  }

  async function make(mint: Address, key: BodyKey, build: (known: Known) => Promise<Buffer>) {
    // First of all: what is known of the token may be outdated by the time that others have answered.
    const [since, slots] = await Promise.all([wholeSince(), coverage()]);
    return keep(mint, key, ({ open, token, passing }) =>
      build({
        open,
        token,
        passing,
        keeps: (table) => (since.get(table) ?? 0) <= (token().creation?.time || Number.POSITIVE_INFINITY),
        covers(last) {
          const first = token().creation?.slot;
          const isCovered = first === undefined || coversUpTo(slots, first, last);
          // The block that fills a hole need not hold news of the token: an answer with a hole is not kept.
          if (!isCovered) passing();
          return isCovered;
        },
      }),
    );
  }

  return {
    launch(mint, limit) {
      return answer(mint, `launch ${limit}`, async ({ open, token, keeps, covers, passing }) => {
        const { swaps, bodies } = await open(mint, firstSwapsSection(reads, mint));
        const { key, isSettled, haveOneFunder } = await funders.of({ mint, creation: token().creation, swaps });
        if (!isSettled) passing();
        const { creation, hydrated } = token();
        const supply = tokenSupply({ creation, hydrated });
        const last = swaps[limit - 1]?.slot ?? Number.POSITIVE_INFINITY;
        const partial = !isSettled || !isSeenWhole(token()) || !keeps('swaps') || !covers(last);
        return bodies.get(`${limit} ${creatorOf(token())} ${supply} ${partial} ${key}`, () =>
          launchBody(mint, analyseLaunch({ mint, creation, supply, swaps, limit, haveOneFunder }), partial),
        );
      });
    },

    race(mint, slots) {
      // When more is known of validators the same race is told anew.
      const { changes } = createdLeaders;
      return answerOf(
        mint,
        { name: `launch-race ${slots}`, stamp: changes },
        async ({ open, token, keeps, covers, passing }) => {
          const { creation } = token();
          if (creation === undefined) return unknownRaceBody(token(), slots);
          const raced = Array.from({ length: slots }, (_, after) => creation.slot + after);
          const leaders = createdLeaders.ready(raced);
          const isTold = leaders === undefined || (await leaders);
          if (!isTold) passing();
          const section = await open(mint, raceSection(reads, mint, creation.slot));
          const last = creation.slot + slots - 1;
          const whole = keeps('swaps') && covers(last) && section.wholeTo >= last;
          // The attempts that happen to be left in a table that lets rows go are no race.
          const attempts = keeps('attempts') ? section.attempts : undefined;
          return section.bodies.get(`${slots} ${whole} ${attempts !== undefined} ${isTold} ${changes}`, () =>
            raceBody(
              { mint, creation, slots, leaderOf: createdLeaders.at },
              runRace({ creation, swaps: section.swaps, attempts, slots, whole }),
            ),
          );
        },
      );
    },

    firstBuyers(mint, limit) {
      return answer(mint, `first-buyers ${limit}`, async ({ open, token, keeps, covers, passing }) => {
        const { whole: isHeld, opened: section } = await openWhole(
          isWhole,
          () => token().creation,
          () => open(mint, firstBuyerSection({ reads, feed, clock }, mint)),
        );
        // The block that fills a hole need not hold news of the token.
        if (!isHeld && isSeenWhole(token())) passing();
        const buyers = section.buys.slice(0, limit).map((buy) => ({ buy, folded: section.rowsOf(buy.trader) }));
        const last = buyers[limit - 1]?.buy.slot ?? Number.POSITIVE_INFINITY;
        const isFirst = isSeenWhole(token()) && keeps('swaps') && covers(last);
        return firstBuyersBody(token(), buyers, !isFirst || !isHeld);
      });
    },
  };
}

function isSeenWhole({ creation }: TokenState): boolean {
  return creation !== undefined && !creation.partial;
}
