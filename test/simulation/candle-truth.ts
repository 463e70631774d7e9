import type { BlockFacts, Swap } from '../../src/facts/fact.ts';
import { readRows, type StoreClient } from '../../src/store/clickhouse/client.ts';
import { priceDouble } from '../../src/store/clickhouse/schema/price-double.ts';
import type { RowOf } from '../../src/store/clickhouse/schema/table-layout.ts';
import { rowsDifference } from './store-truth.ts';

/** A minute to a day: what the store keeps candles of. */
const INTERVALS_S = [60, 300, 900, 3_600, 14_400, 86_400];

const CANDLES = {
  name: 'candles',
  columns: {
    mint: 'address',
    quote_mint: 'address',
    seconds: 'u32',
    bucket: 'time',
    open: 'f64',
    high: 'f64',
    low: 'f64',
    close: 'f64',
    volume: 'i128',
    trades: 'u32',
  },
} as const;

type CandleRow = RowOf<typeof CANDLES>;

const STORED = `
  SELECT mint, quote_mint, seconds, bucket, tupleElement(min(open), 2), max(high), min(low), tupleElement(max(close), 2),
    toInt128(sum(volume)), toUInt32(sum(trades))
  FROM candles GROUP BY mint, quote_mint, seconds, bucket`;

/**
 * The first difference between the store's candles and those of the truth's
 * swaps, folded here: `verify` folds with the very SQL that made them.
 */
export async function candleDifference(client: StoreClient, truth: readonly BlockFacts[]): Promise<string | undefined> {
  const expected = foldCandles(truth.flatMap(({ swaps }) => swaps));
  const difference = rowsDifference(await readRows(client, CANDLES, STORED), expected);
  return difference === undefined ? undefined : `candles: ${difference}`;
}

function foldCandles(swaps: readonly Swap[]): CandleRow[] {
  const candles = new Map<string, CandleRow>();
  for (const swap of swaps.toSorted(inOrder)) {
    if (!swap.priced) continue;
    for (const seconds of INTERVALS_S) {
      const bucket = swap.time - (swap.time % seconds);
      const key = `${swap.mint} ${swap.quoteMint} ${seconds} ${bucket}`;
      candles.set(key, withTrade(candles.get(key), swap, { seconds, bucket }));
    }
  }
  return [...candles.values()];
}

function withTrade(
  candle: CandleRow | undefined,
  { mint, quoteMint, quoteAmount, priceQuote, priceToken }: Swap,
  { seconds, bucket }: Pick<CandleRow, 'seconds' | 'bucket'>,
): CandleRow {
  const price = priceDouble(priceQuote, priceToken);
  return {
    mint,
    quote_mint: quoteMint ?? '',
    seconds,
    bucket,
    open: candle?.open ?? price,
    high: Math.max(candle?.high ?? price, price),
    low: Math.min(candle?.low ?? price, price),
    close: price,
    volume: (candle?.volume ?? 0n) + quoteAmount,
    trades: (candle?.trades ?? 0) + 1,
  };
}

function inOrder(one: Swap, other: Swap): number {
  return one.slot - other.slot || one.blockIndex - other.blockIndex || one.ixIndex - other.ixIndex;
}
