import type { Address } from '../../chain/address.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { type CountedToken, readListedTokens, readScreenedTokens, readTradeFigures } from '../../token/listed-reads.ts';
import type { ListingsRead } from '../../token/listing-section.ts';
import { type ListPlace, type ListWindow, readListMints } from './mint-reads.ts';

/** The questions about all tokens: pages of mints in an order, and what a list says of each. */
export interface MarketReads extends ListingsRead {
  /** Mints of a page, in its order. */
  listMints(mark: number, window: ListWindow): Promise<readonly ListPlace[]>;
  /** What filters are about, of many mints, in the order given. */
  listScreened(mints: readonly Address[], mark: number): Promise<readonly CountedToken[]>;
}

/** The questions about all tokens, asked of the store. */
export function createMarketReads(client: StoreClient): MarketReads {
  return {
    listMints: (...question) => readListMints(client, ...question),
    listTokens: (...question) => readListedTokens(client, ...question),
    listScreened: (...question) => readScreenedTokens(client, ...question),
    listFigures: (...question) => readTradeFigures(client, ...question),
  };
}
