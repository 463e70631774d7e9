import type { Body, BodyKey } from '../../books/body-cache.ts';
import type { BookSizes } from '../../books/book-limits.ts';
import type { BookShelf } from '../../books/book-shelf.ts';
import type { Address } from '../../chain/address.ts';
import { Absence, stampBody } from '../../contract/stamp.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { readAgreeing } from '../../token/agreeing-reads.ts';
import { type HoldingsHistory, openWhole } from '../../token/history.ts';
import { createKeptAnswers } from '../../token/kept-answers.ts';
import { bornBy, tokenAsOf } from '../../token/settled.ts';
import type { TokenState } from '../../token/state.ts';
import type { TokenReads } from '../../token/token-reads.ts';
import { groupByWallet, holdersBody, holdingsByWallet, rankHolders } from './holder-body.ts';
import { holderSection } from './holder-section.ts';
import { type HolderReads, readLargest, readNamedHoldings, readNamedPositions } from './largest-reads.ts';
import { askedToken, type HolderSnapshot, type HolderSnapshots, snapshotHoldings } from './snapshot-rules.ts';
import type { HolderStatsBook } from './stats.ts';

/** A list is made again once in so long: a snapshot may have come, or a hole been filled, without news of the token. */
const KEPT_MS = 2_000;

/** Everything that a list of balances from the chain needs. */
export interface OnchainLists {
  readonly client: StoreClient;
  readonly snapshots: HolderSnapshots;
}

export interface HolderListDeps {
  readonly reads: TokenReads & HolderReads;
  readonly shelf: BookShelf;
  readonly sizes: Pick<BookSizes, 'holders'>;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly isWhole: HoldingsHistory;
  readonly venues: HolderStatsBook['venues'];
  /** Undefined without a node. */
  readonly onchain: OnchainLists | undefined;
}

/**
 * The largest balances: those of a snapshot of the chain that is at hand, which is never waited for; otherwise out of
 * the token's book, or of the store where more are asked for.
 */
export function createHolderList(deps: HolderListDeps): (mint: Address, limit: number) => Body {
  const { reads, shelf, sizes, feed, clock, isWhole, onchain } = deps;
  const answer = createKeptAnswers({ reads, shelf });
  const keyOf = (limit: number): BodyKey => ({
    name: `holders ${limit}`,
    stamp: Math.floor(clock.now() / KEPT_MS),
  });
  return (mint, limit) =>
    answer(mint, keyOf(limit), async ({ open, token, passing }) => {
      const venues = await deps.venues(mint);
      const snapshot = onchain?.snapshots.find(askedToken(token()));
      if (onchain !== undefined && snapshot !== undefined) {
        return onchainBody(deps, onchain, token(), { snapshot, venues, limit });
      }
      const { whole, opened: section } = await openWhole(
        isWhole,
        () => token().creation,
        () => open(mint, holderSection({ reads, feed, clock, venues }, mint, sizes.holders)),
      );
      const facts = (hasUnknown: boolean) => ({ source: 'swap_estimate', partial: !whole || hasUnknown }) as const;
      if (section.sure >= limit) {
        return holdersBody(token(), section.ranked().slice(0, limit), facts(section.hasUnknown));
      }
      passing();
      const asked = { wallets: limit, venues };
      const largest = await readLargest(reads, deps, mint, asked);
      const ranked = rankHolders(largest.positions, holdingsByWallet(largest.holdings)).slice(0, limit);
      const state = await tokenAsOf(reads, token(), largest.slot);
      if (state instanceof Absence) return state;
      const isUnborn = bornBy(token(), largest.slot) !== token();
      return stampBody(holdersBody(state, ranked, facts(isUnborn || largest.hasUnknown)), largest.slot);
    });
}

/** A snapshot that is told. */
interface ToldSnapshot {
  readonly snapshot: HolderSnapshot;
  readonly venues: readonly Address[];
  readonly limit: number;
}

/** Balances of a snapshot, beside what is folded of their wallets. */
async function onchainBody(
  { reads, feed, clock }: HolderListDeps,
  { client }: OnchainLists,
  token: TokenState,
  { snapshot, venues, limit }: ToldSnapshot,
): Promise<Buffer> {
  const { mint } = token;
  const largest = [...snapshotHoldings(snapshot, venues)]
    .sort(([a, ofA], [b, ofB]) => (ofA === ofB ? (a < b ? -1 : 1) : ofA > ofB ? -1 : 1))
    .slice(0, limit);
  const wallets = largest.map(([wallet]) => wallet);
  const { positions, holdings, slot } = await readAgreeing(
    { feed, clock },
    () => readNamedPositions(client, mint, wallets),
    () => readNamedHoldings(client, mint, wallets),
  );
  const folded = groupByWallet(positions, holdingsByWallet(holdings));
  const known = new Map(folded.map((holder) => [holder.trader, holder]));
  const holders = largest.map(([trader, balance]) => {
    const { positions: own, holding } = known.get(trader) ?? { positions: [], holding: undefined };
    return { trader, balance, positions: own, holding };
  });
  const facts = { source: 'onchain', slot: snapshot.slot, partial: false } as const;
  const then = await tokenAsOf(reads, token, slot);
  // The chain's own accounts say that it was there, whatever the store knew by then.
  return stampBody(holdersBody(then instanceof Absence ? token : then, holders, facts), slot);
}
