import { type BookLimits, DEFAULT_BOOK_LIMITS, DEFAULT_LIST_LIMITS, type ListLimits } from '../books/book-limits.ts';
import type { BookMemory } from '../books/book-set.ts';
import { createBookShelf } from '../books/book-shelf.ts';
import type { Feed } from '../feed/feed.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import { createCreatedLeaders } from '../leaders/created-leaders.ts';
import { createKnownLeaders } from '../leaders/known-leaders.ts';
import { NO_PLACES, type Places } from '../leaders/places.ts';
import { type Leaders, NO_LEADERS } from '../leaders/schedules.ts';
import { NO_ECONOMICS, type SlotEconomics } from '../leaders/slot-figures.ts';
import { createMarket, type Market } from '../market/market.ts';
import { createWindowReads } from '../market/market-reads.ts';
import { DEFAULT_SEARCH_LIMITS, type SearchLimits } from '../search/search-index.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { createHoldingsHistory } from '../token/history.ts';
import { createRowReads } from '../token/row-reads.ts';
import { createTokenReads } from '../token/token-reads.ts';
import { createDiscoveryAnswers, type DiscoveryAnswers } from './discovery/answers.ts';
import { createEcosystemAnswers, type EcosystemAnswers } from './ecosystem/answers.ts';
import { createEquityAnswers, type EquityAnswers } from './equities/answers.ts';
import type { ClosingPrices, EquityMints } from './equities/outside.ts';
import { createFeeMarketAnswers, type FeeMarketAnswers } from './fee-market/answers.ts';
import { createLandingAnswers, type LandingAnswers } from './fee-market/landing-answers.ts';
import { createHolderAnswers, type HolderAnswers } from './holders/answers.ts';
import type { HolderSnapshots } from './holders/snapshot-rules.ts';
import { createHolderStats } from './holders/stats.ts';
import { createIntelligenceAnswers, type IntelligenceAnswers } from './intelligence/answers.ts';
import { createLaunchAnswers, type LaunchAnswers } from './launch/answers.ts';
import { createLeaderAnswers, type LeaderAnswers } from './leaders/answers.ts';
import { createMovementAnswers, type MovementAnswers } from './movements/answers.ts';
import { createPackAnswers, type PackAnswers } from './pack/answers.ts';
import { createPriceAnswers, NO_SOL_PRICE, type PriceAnswers, type SolPrice } from './prices/answers.ts';
import { createSearchAnswers, type SearchAnswers } from './search/answers.ts';
import type { IngestStatus } from './system/contract.ts';
import { createServiceStats, type ServiceStats } from './system/stats.ts';
import { createStatsReads } from './system/stats-reads.ts';
import { createTokenAnswers, type TokenAnswers } from './tokens/answers.ts';
import { createTradeAnswers, type TradeAnswers } from './trades/answers.ts';
import { createTradeReads } from './trades/trade-reads.ts';

/** Every question about the data, by the feature that answers it. */
export interface Answers {
  /** Newest slot an answer can contain. */
  indexedSlot(): number;
  readonly tokens: TokenAnswers;
  readonly trades: TradeAnswers;
  readonly holders: HolderAnswers;
  readonly launch: LaunchAnswers;
  readonly movements: MovementAnswers;
  readonly intelligence: IntelligenceAnswers;
  readonly prices: PriceAnswers;
  readonly search: SearchAnswers;
  readonly system: ServiceStats;
  readonly discovery: DiscoveryAnswers;
  readonly ecosystem: EcosystemAnswers;
  readonly feeMarket: FeeMarketAnswers;
  readonly landing: LandingAnswers;
  readonly leaders: LeaderAnswers;
  readonly equities: EquityAnswers;
  readonly pack: PackAnswers;
}

export interface AnswersDeps {
  readonly client: StoreClient;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly log: Logger;
  /** Progress of the blocks that come in, for the statistics. */
  readonly ingest?: () => IngestStatus;
  /** The price of SOL; without it no figure is in dollars. */
  readonly solPrice?: SolPrice | undefined;
  /** Snapshots of holders that a node tells; without them, trades tell. */
  readonly holderSnapshots?: HolderSnapshots | undefined;
  /** Who leads which slot; without it nobody is known to. */
  readonly leaders?: Leaders | undefined;
  /** What happened in the newest slots. */
  readonly economics?: SlotEconomics | undefined;
  /** Where validators are. */
  readonly places?: Places | undefined;
  /** What the chain tells of the mints of shares; without it their supply is not known. */
  readonly equityMints?: EquityMints | undefined;
  /** What shares closed at on their exchange. */
  readonly closingPrices?: ClosingPrices | undefined;
  readonly bookLimits?: BookLimits;
  readonly listLimits?: ListLimits;
  readonly searchLimits?: SearchLimits;
}

export interface ClosableAnswers extends Answers {
  /** Windows over all trades. */
  readonly market: Market;
  /** Memory of the books: those of tokens, those of the rows of lists and searches, curves, and the names that are searched. */
  memory(): Readonly<Record<'tokens' | 'lists' | 'curves' | 'searches' | 'names', BookMemory>>;
  /** Reads what lists over all tokens are made of, beside everything else: the first question for one does not wait. */
  warm(): void;
  /** Stops following the feed. */
  close(): void;
}

/** All features over one store and one feed: books in memory, and the store behind them. */
export function createAnswers({
  client,
  feed,
  clock,
  log,
  ingest,
  solPrice = NO_SOL_PRICE,
  holderSnapshots,
  leaders = NO_LEADERS,
  economics = NO_ECONOMICS,
  places = NO_PLACES,
  equityMints,
  closingPrices,
  bookLimits = DEFAULT_BOOK_LIMITS,
  listLimits = DEFAULT_LIST_LIMITS,
  searchLimits = DEFAULT_SEARCH_LIMITS,
}: AnswersDeps): ClosableAnswers {
  const shelf = createBookShelf({ feed, limits: bookLimits });
  const { sizes } = bookLimits;
  const deps = { client, feed, clock, shelf };
  const isWhole = createHoldingsHistory({ client, clock, feed });
  const stats = createHolderStats({ client, clock, feed, snapshots: holderSnapshots, isWhole });
  const reads = { ...createTokenReads(client), ...createRowReads(client), ...createTradeReads(client) };
  const market = createMarket({ reads: createWindowReads(client), feed, clock, log });
  const known = createKnownLeaders(places);
  const createdLeaders = createCreatedLeaders({ leaders, known, clock });
  const tokens = createTokenAnswers({
    ...deps,
    createdLeaders,
    market,
    log,
    limits: listLimits,
    solUsd: () => solPrice.usd(),
  });
  const discovery = createDiscoveryAnswers({ ...deps, log });
  const ecosystem = createEcosystemAnswers({ client, feed, clock, log });
  const feeMarket = createFeeMarketAnswers({ client, feed, clock, solUsd: () => solPrice.usd() });
  const landing = createLandingAnswers({ client, feed, clock, log, leaders, known });
  const leaderAnswers = createLeaderAnswers({ client, feed, log, leaders, economics, known });
  const equities = createEquityAnswers({ client, feed, clock, mints: equityMints, closes: closingPrices });
  const search = createSearchAnswers({
    ...deps,
    createdLeaders,
    market,
    log,
    limits: listLimits,
    searchLimits,
    solUsd: () => solPrice.usd(),
  });
  return {
    indexedSlot: () => Math.max(feed.headSlot, feed.committedSlot),
    tokens,
    trades: createTradeAnswers({ reads, feed, clock, shelf, sizes }),
    holders: createHolderAnswers({ ...deps, sizes, stats, snapshots: holderSnapshots, isWhole }),
    launch: createLaunchAnswers({ ...deps, isWhole, createdLeaders }),
    movements: createMovementAnswers(deps),
    intelligence: createIntelligenceAnswers({ ...deps, stats, holderSnapshots }),
    prices: createPriceAnswers({ ...deps, solPrice }),
    search,
    system: createServiceStats({ reads: createStatsReads(client), feed, clock, ingest }),
    discovery,
    ecosystem,
    feeMarket,
    landing,
    leaders: leaderAnswers,
    equities,
    pack: createPackAnswers({ feed, shelf, clock }),
    market,
    memory: () => ({
      ...{ tokens: shelf.memory, ...tokens.memory(), searches: search.memory(), names: search.names() },
    }),
    warm() {
      tokens.warm();
      discovery.warm();
      ecosystem.warm();
      landing.warm();
      leaderAnswers.warm();
      equities.warm();
    },
    close() {
      shelf.close();
      tokens.close();
      discovery.close();
      landing.close();
      leaderAnswers.close();
      search.close();
      market.close();
    },
  };
}
