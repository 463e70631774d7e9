import type { Body } from '../../books/body-cache.ts';
import type { BookSizes } from '../../books/book-limits.ts';
import type { BookShelf } from '../../books/book-shelf.ts';
import { createRefreshed, type RefreshedValues } from '../../books/refreshed.ts';
import type { Address } from '../../chain/address.ts';
import { Absence, stampBody } from '../../contract/stamp.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { readAgreeing } from '../../token/agreeing-reads.ts';
import {
  createLaunchHistory,
  createWholeSince,
  type HoldingsHistory,
  type LaunchHistory,
  type WholeSince,
} from '../../token/history.ts';
import { openStoredToken } from '../../token/known-token.ts';
import { absenceAt, bornBy, tokenAsOf } from '../../token/settled.ts';
import { quoteOf } from '../../token/state.ts';
import { createTokenReads } from '../../token/token-reads.ts';
import type { HistoryInterval } from './contract.ts';
import { readHolderCounts } from './count-reads.ts';
import { historyWindow, holderHistoryBody, MAX_HISTORY_SWAPS } from './history-body.ts';
import { groupByWallet, holdingsByWallet, tradersBody } from './holder-body.ts';
import { createHolderList } from './holder-list.ts';
import { createHolderReads, readNamedHoldings, tradersOf } from './largest-reads.ts';
import { readRankedTraders, type TraderRanking } from './ranking-reads.ts';
import { askedToken, type HolderSnapshots } from './snapshot-rules.ts';
import type { HolderStatsBook } from './stats.ts';

export type TraderSort = TraderRanking['sort'];

/** Answers about the wallets that hold a token and those that traded it. */
export interface HolderAnswers {
  /** The largest balances. */
  holders(mint: Address, limit: number): Body;
  /** Number of holders, and how much the largest hold. Shared for a moment: the answer says when it was made. */
  holderStats(mint: Address): Body;
  /** Wallets that traded a token, in an order. */
  traders(mint: Address, order: TraderOrder): Body;
  /** Wallets that held a token over time. */
  holderHistory(mint: Address, interval: HistoryInterval): Body;
}

export interface TraderOrder {
  readonly sort: TraderSort;
  readonly limit: number;
}

export interface HolderAnswersDeps {
  readonly client: StoreClient;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly shelf: BookShelf;
  readonly sizes: Pick<BookSizes, 'holders'>;
  readonly stats: HolderStatsBook;
  /** Undefined without a node. */
  readonly snapshots: HolderSnapshots | undefined;
  readonly isWhole: HoldingsHistory;
  /** Swaps that a history is read out of at most. */
  readonly maxHistorySwaps?: number;
  /** Since when tables have all their rows, of those that do not keep them for ever. */
  readonly wholeSince?: WholeSince;
  /** Tells whether a token's swaps are all known since its creation. */
  readonly hasSwaps?: LaunchHistory;
}

/** Answers kept: the largest, of 500 rows, take some 200 kB. */
const KEPT_RANKINGS = 100;
const KEPT_HISTORIES = 200;
/** A history over many swaps is made at most that often. */
const HISTORY_REUSE_MS = 30_000;

export function createHolderAnswers({
  client,
  feed,
  clock,
  shelf,
  sizes,
  stats,
  snapshots,
  isWhole,
  maxHistorySwaps = MAX_HISTORY_SWAPS,
  wholeSince = createWholeSince(client, clock),
  hasSwaps = createLaunchHistory(client, clock),
}: HolderAnswersDeps): HolderAnswers {
  const reads = { ...createTokenReads(client), ...createHolderReads(client) };
  const rankings = createRefreshed<Buffer | Absence>({ clock, capacity: KEPT_RANKINGS });
  const histories = createRefreshed<Buffer | Absence>({ clock, capacity: KEPT_HISTORIES, reuseMs: HISTORY_REUSE_MS });

  async function rank(mint: Address, { sort, limit }: TraderOrder): Promise<Buffer | Absence> {
    const token = await openStoredToken({ reads, following: shelf.follow(), feed, clock }, mint);
    if (token instanceof Absence) return token;
    const { value } = await rankings.get(`${mint} ${sort} ${limit}`, async () => {
      const { state } = token;
      const whole = await isWhole(state.creation);
      const { positions, holdings, slot } = await readAgreeing(
        { feed, clock },
        () => readRankedTraders(client, mint, { sort, own: quoteOf(state), wallets: limit }),
        (rows) => readNamedHoldings(client, mint, tradersOf(rows)),
      );
      const traders = groupByWallet(positions, holdingsByWallet(holdings));
      const isUnborn = bornBy(state, slot) !== state;
      const isPartial = !whole || isUnborn || traders.some(({ balance }) => balance === undefined);
      const then = await tokenAsOf(reads, state, slot);
      return then instanceof Absence ? then : stampBody(tradersBody(then, traders, isPartial), slot);
    });
    return value;
  }

  async function count(mint: Address, interval: HistoryInterval): Promise<Buffer | Absence> {
    const token = await openStoredToken({ reads, following: shelf.follow(), feed, clock }, mint);
    if (token instanceof Absence) return token;
    const { value } = await histories.get(`${mint} ${interval}`, async () => {
      const window = historyWindow(interval, Math.floor(clock.now() / 1000));
      const since = (await wholeSince()).get('swaps') ?? 0;
      const hasAllSwaps = since <= (token.state.creation?.time ?? 0);
      const limits = { ...window, maxSwaps: maxHistorySwaps, hasAllSwaps };
      const counts = await readHolderCounts(client, mint, feed.committedSlot, limits);
      const isKnown = await hasSwaps(bornBy(token.state, counts.slot).creation, counts.slot);
      const absence = await absenceAt(reads, token.state, counts.slot);
      return absence ?? stampBody(holderHistoryBody(counts, window, isKnown), counts.slot);
    });
    return value;
  }

  async function readStats(mint: Address): Promise<Buffer | Absence> {
    const token = await openStoredToken({ reads, following: shelf.follow(), feed, clock }, mint);
    if (token instanceof Absence) return token;
    const { stats: figures, body, slot } = await stats.get(askedToken(token.state));
    // The chain's own accounts say what was there, whatever the store knew by then.
    if (figures.source === 'onchain') return body;
    return (await absenceAt(reads, token.state, slot)) ?? body;
  }

  return {
    holders: createHolderList({
      reads,
      shelf,
      sizes,
      feed,
      clock,
      isWhole,
      venues: stats.venues,
      onchain: snapshots && { client, snapshots },
    }),
    holderStats: (mint) => stats.ready(mint)?.body ?? readStats(mint),
    traders: (mint, order) => readyBody(rankings, `${mint} ${order.sort} ${order.limit}`) ?? rank(mint, order),
    holderHistory: (mint, interval) => readyBody(histories, `${mint} ${interval}`) ?? count(mint, interval),
  };
}

/** The kept body while it needs no refresh. */
function readyBody(values: RefreshedValues<Buffer | Absence>, key: string): Buffer | undefined {
  const value = values.ready(key)?.value;
  return value instanceof Absence ? undefined : value;
}
