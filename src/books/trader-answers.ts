import type { Address } from '../chain/address.ts';
import { readHolderCounts } from '../queries/holder-counts.ts';
import { createTokenReads } from '../queries/store-reads.ts';
import { readRankedTraders, type TraderRanking } from '../queries/traders-ranked.ts';
import type { AnswerDeps, Body, TokenAnswers } from './answers.ts';
import { batchBody } from './batch-body.ts';
import { type HistoryInterval, historyWindow, holderHistoryBody, MAX_HISTORY_SWAPS } from './holder-history.ts';
import { groupByWallet, tradersBody } from './holder-list.ts';
import { createRefreshed } from './refreshed.ts';
import { createWholeSince, type WholeSince } from './store-history.ts';
import { tokenSection } from './token-section.ts';
import { quoteOf } from './token-state.ts';

export type TraderSort = TraderRanking['sort'];

export interface TraderAnswers {
  /** Snapshots of several tokens, and which of them nothing is known of. */
  batch(mints: readonly Address[]): Promise<Buffer>;
  /** Wallets that traded a token, in an order. */
  traders(mint: Address, order: TraderOrder): Body;
  /** Wallets that held a token over time. */
  holderHistory(mint: Address, interval: HistoryInterval): Body;
}

export interface TraderOrder {
  readonly sort: TraderSort;
  readonly limit: number;
}

export interface TraderAnswersDeps extends AnswerDeps {
  /** One token's snapshot: a batch holds the same bytes. */
  readonly snapshot: TokenAnswers['snapshot'];
  /** Swaps that a history is read out of at most. */
  readonly maxHistorySwaps?: number;
  /** Since when tables have all their rows, of those that do not keep them for ever. */
  readonly wholeSince?: WholeSince;
}

/** Answers kept: the largest, of 500 rows, take some 200 kB. */
const KEPT_RANKINGS = 100;
const KEPT_HISTORIES = 200;
/** A history over many swaps is made at most that often. */
const HISTORY_REUSE_MS = 30_000;

export function createTraderAnswers({
  client,
  feed,
  clock,
  shelf,
  snapshot,
  maxHistorySwaps = MAX_HISTORY_SWAPS,
  wholeSince = createWholeSince(client, clock),
}: TraderAnswersDeps): TraderAnswers {
  const reads = createTokenReads(client);
  const rankings = createRefreshed<Buffer>({ clock, capacity: KEPT_RANKINGS });
  const histories = createRefreshed<Buffer>({ clock, capacity: KEPT_HISTORIES, reuseMs: HISTORY_REUSE_MS });

  async function rank(mint: Address, { sort, limit }: TraderOrder): Promise<Buffer | undefined> {
    const token = await shelf.open(mint, tokenSection(reads, mint));
    if (!token.known) return undefined;
    const { value } = await rankings.get(`${mint} ${sort} ${limit}`, async () => {
      const { state } = token;
      const rows = await readRankedTraders(client, mint, { sort, own: quoteOf(state), wallets: limit });
      return tradersBody(state, groupByWallet(rows));
    });
    return value;
  }

  async function count(mint: Address, interval: HistoryInterval): Promise<Buffer | undefined> {
    const token = await shelf.open(mint, tokenSection(reads, mint));
    if (!token.known) return undefined;
    const { value } = await histories.get(`${mint} ${interval}`, async () => {
      const window = historyWindow(interval, Math.floor(clock.now() / 1000));
      const since = (await wholeSince()).get('swaps') ?? 0;
      const hasAllSwaps = since <= (token.state.creation?.time ?? 0);
      const limits = { ...window, maxSwaps: maxHistorySwaps, hasAllSwaps };
      return holderHistoryBody(await readHolderCounts(client, mint, feed.committedSlot, limits), window);
    });
    return value;
  }

  return {
    batch: (mints) => batchBody(mints, snapshot),
    traders: (mint, order) => rankings.ready(`${mint} ${order.sort} ${order.limit}`)?.value ?? rank(mint, order),
    holderHistory: (mint, interval) => histories.ready(`${mint} ${interval}`)?.value ?? count(mint, interval),
  };
}
