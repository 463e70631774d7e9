import { Type } from 'typebox';
import type { Address } from '../chain/address.ts';
import { newestTime } from '../chain/newest-time.ts';
import { SPARK_POINTS } from '../contract/token.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { defineRowQuery, SHARED_READ_SECONDS } from '../store/query.ts';
import { readBlockTimes } from './block-times.ts';
import { byMint } from './by-mint.ts';
import type { TokenFacts } from './facts.ts';
import { readImages } from './metadata-reads.ts';
import { readFactsOfMints } from './mint-facts-reads.ts';
import { SPARK_STEP_S } from './spark.ts';
import type { LeaderOf } from './state.ts';
import type { QuoteFigures, TradeFigures } from './trade-figures.ts';
import { FEW_WALLETS, type KnownTraders, MOST_WALLETS, NO_TRADERS } from './trader-count.ts';

const mints = Type.Array(Type.String());

const windows = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./list-windows.sql', import.meta.url),
  params: Type.Object({ mints, mark: Type.Integer(), now: Type.Integer() }),
  layout: {
    name: 'list_windows',
    columns: {
      mint: 'account',
      quote_mint: 'address',
      trades: 'u32',
      volume: 'i128',
      before_five: 'f64',
      before_hour: 'f64',
    },
  },
});

const earlierPrices = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./list-earlier-prices.sql', import.meta.url),
  params: Type.Object({ mints, now: Type.Integer() }),
  layout: { name: 'list_earlier_prices', columns: { mint: 'account', quote_mint: 'address', price: 'f64' } },
});

const steps = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./list-steps.sql', import.meta.url),
  params: Type.Object({ mints, mark: Type.Integer(), now: Type.Integer(), width: Type.Integer() }),
  layout: {
    name: 'list_steps',
    columns: { mint: 'account', quote_mint: 'address', step: 'u8', price: 'f64' },
  },
});

const marked = Type.Object({ mints, mark: Type.Integer() });

const traders = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./list-traders.sql', import.meta.url),
  params: marked,
  layout: {
    name: 'list_traders',
    columns: { mint: 'account', traders: 'u32', quotes: 'u32', quote_mint: 'address' },
  },
});

/** Wallets of all tokens of a page that are read by name. */
const MOST_WALLETS_READ = 10 * MOST_WALLETS;

const wallets = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./list-wallets.sql', import.meta.url),
  params: marked,
  // Some more may have come since they were counted.
  maxRows: 2 * MOST_WALLETS_READ,
  layout: { name: 'list_wallets', columns: { mint: 'account', trader: 'account' } },
});

/** Who traded some mints: by number, and by name where that needs be and there are not too many. */
async function readTraders(
  client: StoreClient,
  listed: readonly Address[],
  mark: number,
): Promise<ReadonlyMap<Address, KnownTraders>> {
  const counts = await traders(client, { mints: [...listed], mark });
  let left = MOST_WALLETS_READ;
  const named = counts.flatMap(({ mint, traders: count, quotes }) => {
    if (count > Math.min(quotes < 2 ? FEW_WALLETS : MOST_WALLETS, left)) return [];
    left -= count;
    return [mint];
  });
  const byName = new Map<Address | '', Address[]>(named.map((mint) => [mint, []]));
  const rows = named.length === 0 ? [] : await wallets(client, { mints: named, mark });
  for (const { mint, trader } of rows) byName.get(mint)?.push(trader);
  return new Map(
    counts.map(({ mint, traders: count, quotes, quote_mint }): [Address, KnownTraders] => {
      const own = byName.get(mint);
      return [mint, { count: own?.length ?? count, quotes, quote: quote_mint, wallets: own }];
    }),
  );
}

/** List rows of mints, in the order given, but for what windows tell: each read is over the mints of the page alone. */
export async function readListedTokens(
  client: StoreClient,
  listed: readonly Address[],
  mark: number,
): Promise<readonly ListedToken[]> {
  if (listed.length === 0) return [];
  const [facts, counts, images] = await Promise.all([
    readFactsOfMints(client, listed, mark),
    readTraders(client, listed, mark),
    readImages(client, listed),
  ]);
  return listed.map((mint, place) => ({
    mint,
    facts: { ...facts[place]!, image: images.get(mint) },
    traders: counts.get(mint) ?? NO_TRADERS,
  }));
}

/** What filters over lists are about, in the order given: wallets by number alone, and no images. */
export async function readScreenedTokens(
  client: StoreClient,
  screened: readonly Address[],
  mark: number,
): Promise<readonly CountedToken[]> {
  if (screened.length === 0) return [];
  const [facts, counts] = await Promise.all([
    readFactsOfMints(client, screened, mark),
    traders(client, { mints: [...screened], mark }).then(byMint),
  ]);
  return screened.map((mint, place) => ({
    mint,
    facts: facts[place]!,
    traders: { count: counts.get(mint)?.[0]?.traders ?? 0 },
  }));
}

/** What windows tell of mints, in the order given, as of a mark. */
export async function readTradeFigures(
  client: StoreClient,
  listed: readonly Address[],
  mark: number,
  ...[wall, isStepped = false]: FiguresAsked
): Promise<readonly TradeFigures[]> {
  if (listed.length === 0) return [];
  const blocks = await readBlockTimes(client, mark);
  const now = newestTime(
    blocks.map(({ time }) => time),
    wall,
  );
  const ofMints = { mints: [...listed], now };
  const [sums, earlier, stepped] = await Promise.all([
    windows(client, { ...ofMints, mark }).then(byMint),
    earlierPrices(client, ofMints).then(byMint),
    isStepped ? steps(client, { ...ofMints, mark, width: SPARK_STEP_S }).then(byMint) : undefined,
  ]);
  return listed.map((mint) => {
    const known = sums.get(mint) ?? [];
    const prices = earlier.get(mint) ?? [];
    const quotes = new Set([...known, ...prices].map(({ quote_mint }) => quote_mint));
    return {
      now,
      isStepped,
      trades: known.reduce((sum, { trades }) => sum + trades, 0),
      quotes: Array.from(quotes, (quote): QuoteFigures => {
        const own = known.find(({ quote_mint }) => quote_mint === quote);
        const price = prices.find(({ quote_mint }) => quote_mint === quote)?.price ?? 0;
        const beforeHour = own?.before_hour || price;
        const figures = { quote_mint: quote, volume: own?.volume ?? 0n };
        const before = { beforeHour, beforeFive: own?.before_five || beforeHour };
        if (stepped === undefined) return { ...figures, ...before };
        const last = new Map(
          (stepped.get(mint) ?? []).flatMap((row) =>
            row.quote_mint === quote ? [[row.step, row.price] as const] : [],
          ),
        );
        return { ...figures, ...before, steps: Array.from({ length: SPARK_POINTS }, (_, step) => last.get(step) ?? 0) };
      }),
    };
  });
}

/** Unix seconds by the clock on the wall; and true where prices of steps of the hour are to be told too. */
export type FiguresAsked = readonly [wall: number, isStepped?: boolean];

/** A token's facts, and how many wallets ever traded it. */
export interface CountedToken {
  readonly mint: Address;
  readonly facts: TokenFacts;
  readonly traders: { readonly count: number };
}

export interface ListedToken {
  readonly mint: Address;
  readonly facts: TokenFacts;
  /** Wallets that ever traded it. */
  readonly traders: KnownTraders;
  /** Tells who led the slot of its creation; left out where that is not asked. */
  readonly leaderOf?: LeaderOf;
}
