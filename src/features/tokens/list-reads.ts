import type { StoreClient } from '../../store/clickhouse/client.ts';
import { readListedTokens, readTradeFigures } from '../../token/listed-reads.ts';
import type { ListingsRead } from '../../token/listing-section.ts';
import { type ListPlace, type ListWindow, readListMints } from './mint-reads.ts';

/** The questions about all tokens: pages of mints in an order, and what a list says of each. */
export interface MarketReads extends ListingsRead {
  /** Mints of a page, in its order. */
  listMints(mark: number, window: ListWindow): Promise<readonly ListPlace[]>;
}

/** The questions about all tokens, asked of the store. */
export function createMarketReads(client: StoreClient): MarketReads {
  return {
    listMints: (...question) => readListMints(client, ...question),
    listTokens: (...question) => readListedTokens(client, ...question),
    listFigures: (...question) => readTradeFigures(client, ...question),
  };
}
