import type { StoreClient } from '../store/clickhouse/client.ts';
import { readActivitySums, readActivitySwaps } from './activity-sums.ts';
import { readCandles } from './candles-range.ts';
import { gatherTokenFacts } from './gathered-facts.ts';
import { readHolders } from './holders-largest.ts';
import { readListedTokens } from './listed-tokens.ts';
import type { MarketReads } from './market-reads.ts';
import { readAttempts, readSwaps, readTransfers } from './rows-page.ts';
import { readStoreStats } from './store-stats.ts';
import { readTicks } from './ticks-page.ts';
import { readListMints } from './token-list.ts';
import type { TokenReads } from './token-reads.ts';

/** The questions about one token, asked of the store. */
export function createTokenReads(client: StoreClient): TokenReads {
  return {
    token: gatherTokenFacts(client),
    swaps: (...question) => readSwaps(client, ...question),
    attempts: (...question) => readAttempts(client, ...question),
    transfers: (...question) => readTransfers(client, ...question),
    ticks: (...question) => readTicks(client, ...question),
    candles: (...question) => readCandles(client, ...question),
    activitySwaps: (...question) => readActivitySwaps(client, ...question),
    activitySums: (...question) => readActivitySums(client, ...question),
    holders: (...question) => readHolders(client, ...question),
  };
}

/** The questions about all tokens, asked of the store. */
export function createMarketReads(client: StoreClient): MarketReads {
  return {
    listMints: (...question) => readListMints(client, ...question),
    listTokens: (...question) => readListedTokens(client, ...question),
    stats: (spans) => readStoreStats(client, spans),
  };
}
