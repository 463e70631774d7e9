-- Candles of a mint in one quote, from one end of a range of buckets. Buckets before the one of the
-- newest swap of a whole block are closed and come from the rollup; the last one is folded from its swaps, because
-- the rollup may hold some that the store does not answer for yet. Buckets under a minute have no rollup,
-- and neither have those of a pool that stands in for the markets that price the mint.
WITH
  toFixedString(base58Decode({mint:String}), 32) AS the_mint,
  toFixedString(base58Decode({quote:String}), 32) AS the_quote,
  ifNull((
    SELECT toUInt32(time)
    FROM swaps
    WHERE mint = the_mint AND quote_mint = the_quote AND priced AND {pool:String} = '' AND slot <= {mark:UInt32} AND NOT partial
    ORDER BY mint DESC, slot DESC, block_index DESC, ix_index DESC
    LIMIT 1
  ), 0) AS newest,
  if({step:UInt32} < 60 OR {pool:String} != '', 0, newest - newest % {step:UInt32}) AS open_bucket
SELECT start, open, high, low, close, volume, trades
FROM (
  SELECT
    toUInt32(bucket) AS start,
    tupleElement(min(candles.open), 2) AS open,
    max(candles.high) AS high,
    min(candles.low) AS low,
    tupleElement(max(candles.close), 2) AS close,
    toInt128(sum(candles.volume)) AS volume,
    toUInt32(sum(candles.trades)) AS trades
  FROM candles
  WHERE mint = the_mint
    AND quote_mint = the_quote
    AND seconds = {step:UInt32}
    AND toUInt32(bucket) >= {from:UInt32}
    AND toUInt32(bucket) < least({to:UInt32}, open_bucket)
  GROUP BY bucket
  UNION ALL
  SELECT
    toUInt32(toUInt32(time) - toUInt32(time) % {step:UInt32}) AS start,
    argMin(price, (slot, block_index, ix_index)) AS open,
    max(price) AS high,
    min(price) AS low,
    argMax(price, (slot, block_index, ix_index)) AS close,
    toInt128(sum(toInt128(quote_amount))) AS volume,
    toUInt32(count()) AS trades
  FROM swaps
  WHERE mint = the_mint
    AND quote_mint = the_quote
    AND if({pool:String} = '', priced, pool = toFixedString(base58Decode({pool:String}), 32))
    AND (slot <= {mark:UInt32} OR partial)
    AND start >= open_bucket
    AND start >= {from:UInt32}
    AND start < {to:UInt32}
  GROUP BY start
)
ORDER BY toInt64(start) * {direction:Int8}
LIMIT {limit:UInt32}
