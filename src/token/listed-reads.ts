import { Type } from 'typebox';
import type { Address } from '../chain/address.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { defineRowQuery, SHARED_READ_SECONDS } from '../store/query.ts';
import { byMint } from './by-mint.ts';
import type { TokenFacts } from './facts.ts';
import { readImages } from './metadata-reads.ts';
import { readFactsOfMints } from './mint-facts-reads.ts';

const mints = Type.Array(Type.String());

const marked = Type.Object({ mints, mark: Type.Integer() });
/** Minutes of an hour, for the largest page, in a few quotes each. */
const MAX_MINUTES = 100_000;

const minutes = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./list-minutes.sql', import.meta.url),
  params: Type.Object({ ...marked.properties, since: Type.Integer() }),
  maxRows: MAX_MINUTES,
  layout: {
    name: 'list_minutes',
    columns: {
      mint: 'account',
      quote_mint: 'address',
      start: 'u32',
      trades: 'u32',
      volume: 'i128',
      close: 'f64',
    },
  },
});

const earlierPrices = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./list-earlier-prices.sql', import.meta.url),
  params: Type.Object({ mints, before: Type.Integer() }),
  layout: { name: 'list_earlier_prices', columns: { mint: 'account', quote_mint: 'address', price: 'f64' } },
});

const traders = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./list-traders.sql', import.meta.url),
  params: marked,
  layout: { name: 'list_traders', columns: { mint: 'account', traders: 'u32' } },
});

/** List rows of mints, in the order given: eight to ten reads, each over the mints of the page alone. */
export async function readListedTokens(
  client: StoreClient,
  listed: readonly Address[],
  mark: number,
  since: number,
): Promise<readonly ListedToken[]> {
  if (listed.length === 0) return [];
  const ofMints = { mints: [...listed] };
  const upToMark = { ...ofMints, mark };
  const [facts, trades, earlier, counts, images] = await Promise.all([
    readFactsOfMints(client, listed, mark),
    minutes(client, { ...upToMark, since }).then(byMint),
    earlierPrices(client, { ...ofMints, before: since }).then(byMint),
    traders(client, upToMark).then(byMint),
    readImages(client, listed),
  ]);
  return listed.map((mint, place) => ({
    mint,
    facts: { ...facts[place]!, image: images.get(mint) },
    minutes: trades.get(mint) ?? [],
    earlier: earlier.get(mint) ?? [],
    traders: counts.get(mint)?.[0]?.traders ?? 0,
  }));
}

export interface ListedToken {
  readonly mint: Address;
  readonly facts: TokenFacts;
  /** Minutes with trades, oldest first, one per quote. */
  readonly minutes: readonly MinuteTrades[];
  /** Last prices before those minutes, one per quote. */
  readonly earlier: readonly QuotePrice[];
  /** Positions: wallets that ever traded it, one in each quote. */
  readonly traders: number;
}

export interface MinuteTrades {
  /** Unix seconds. */
  readonly start: number;
  readonly quote_mint: Address | '';
  readonly trades: number;
  /** Raw quote units. */
  readonly volume: bigint;
  /** Last price, raw quote over raw token; 0 when no swap of the minute prices the token. */
  readonly close: number;
}

export interface QuotePrice {
  readonly quote_mint: Address | '';
  /** Raw quote over raw token. */
  readonly price: number;
}
