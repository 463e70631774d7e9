import type { Address } from '../../chain/address.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { type ListedToken, readListedTokens } from './listed-reads.ts';
import { type ListPlace, type ListWindow, readListMints } from './mint-reads.ts';

/** The questions about all tokens: pages of mints in an order, and what a list says of each. */
export interface MarketReads {
  /** Mints of a page, in its order. */
  listMints(mark: number, window: ListWindow): Promise<readonly ListPlace[]>;
  /** List rows of mints, in the order given, with their minutes from `since` on. */
  listTokens(mints: readonly Address[], mark: number, since: number): Promise<readonly ListedToken[]>;
}

/** The questions about all tokens, asked of the store. */
export function createMarketReads(client: StoreClient): MarketReads {
  return {
    listMints: (...question) => readListMints(client, ...question),
    listTokens: (...question) => readListedTokens(client, ...question),
  };
}
