import { Type } from 'typebox';
import type { Address } from '../chain/address.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { defineRowQuery } from '../store/query.ts';
import { learnQuotes } from './learned-quotes.ts';

const named = defineRowQuery({
  sql: new URL('./quotes-named.sql', import.meta.url),
  params: Type.Object({}),
  layout: { name: 'quotes_named', columns: { mint: 'address', symbol: 'string' } },
});

/** Takes the symbols of quotes that were read from the chain out of the store. Gives those that are new. */
export async function learnStoredQuotes(client: StoreClient): Promise<readonly Address[]> {
  const rows = await named(client, {});
  return learnQuotes(rows.flatMap(({ mint, symbol }) => (mint === '' ? [] : [{ mint, symbol }])));
}
