import { Type } from 'typebox';
import type { Address } from '../chain/address.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { TOKEN_CREATIONS } from '../store/clickhouse/tables.ts';
import { defineRowQuery, SHARED_READ_SECONDS } from '../store/query.ts';
import { readHydratedTokens, withLearntDecimals } from './hydrated-tokens.ts';
import type { ListedToken } from './market-reads.ts';
import { LATEST_COLUMNS, MILESTONE_COLUMNS, milestoneFacts } from './token-facts.ts';
import { readHighs, readMarkets } from './token-markets.ts';
import { readImages } from './token-metadata.ts';
import type { TokenFacts } from './token-reads.ts';

const mints = Type.Array(Type.String());
const params = Type.Object({ mints });
const marked = Type.Object({ mints, mark: Type.Integer() });
/** Minutes of an hour, for the largest page, in a few quotes each. */
const MAX_MINUTES = 100_000;

const creations = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./list-creations.sql', import.meta.url),
  params: marked,
  layout: TOKEN_CREATIONS,
});

const milestones = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./list-milestones.sql', import.meta.url),
  params: marked,
  layout: { name: 'list_milestones', columns: { ...MILESTONE_COLUMNS, mint: 'account' } },
});

const latest = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./list-latest.sql', import.meta.url),
  params,
  layout: { name: 'list_latest', columns: { mint: 'account', ...LATEST_COLUMNS, priced: 'bool' } },
});

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

/** What list rows say of each mint, in the order given: eight to ten reads, each over the mints of the page alone. */
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

/** What is known of each mint, without its document, in the order given. */
export async function readFactsOfMints(
  client: StoreClient,
  listed: readonly Address[],
  mark: number,
): Promise<readonly TokenFacts[]> {
  const ofMints = { mints: [...listed] };
  const [born, news, swaps, highs] = await Promise.all([
    creations(client, { ...ofMints, mark }).then(byMint),
    milestones(client, { ...ofMints, mark }).then(byMint),
    latest(client, ofMints)
      .then((rows) => withLearntDecimals(client, rows, ({ mint }) => mint))
      .then(byMint),
    readHighs(client, listed),
  ]);
  const [hydrated, markets] = await Promise.all([
    readHydratedTokens(
      client,
      listed.filter((mint) => !born.has(mint)),
    ),
    readMarkets(
      client,
      listed.filter((mint) => swaps.has(mint) && !swaps.get(mint)?.some(({ priced }) => priced)),
    ),
  ]);
  return listed.map((mint) => {
    // Of at most two, the newest: positions tell them apart.
    const newestFirst = (swaps.get(mint) ?? []).toSorted(
      (a, b) => b.slot - a.slot || b.block_index - a.block_index || b.ix_index - a.ix_index,
    );
    return {
      creation: born.get(mint)?.[0],
      ...milestoneFacts(news.get(mint) ?? []),
      lastSwap: newestFirst[0],
      lastPriced: newestFirst.find(({ priced }) => priced),
      highs: highs.get(mint) ?? [],
      markets: markets.get(mint),
      hydrated: hydrated.get(mint),
    };
  });
}

function byMint<T extends { readonly mint: Address | '' }>(rows: readonly T[]): ReadonlyMap<Address | '', T[]> {
  const groups = new Map<Address | '', T[]>();
  for (const row of rows) {
    const group = groups.get(row.mint);
    if (group === undefined) groups.set(row.mint, [row]);
    else group.push(row);
  }
  return groups;
}
