-- Candles of a minute and longer of a mint in one quote out of the rollup alone, from one end of a range of buckets, each
-- with the place of its newest swap, which tells whether the rollup is ahead: single transactions (their parts are kept
-- apart by their slot) are always answered for.
SELECT
  toUInt32(bucket) AS start,
  tupleElement(min(candles.open), 2) AS open,
  max(candles.high) AS high,
  min(candles.low) AS low,
  tupleElement(max(candles.close), 2) AS close,
  toInt128(sum(candles.volume)) AS volume,
  toUInt32(sum(candles.trades)) AS trades,
  maxIf(tupleElement(candles.close, 1), partial_slot = 0) AS newest
FROM candles
WHERE mint = toFixedString(base58Decode({mint:String}), 32)
  AND quote_mint = toFixedString(base58Decode({quote:String}), 32)
  AND seconds = {step:UInt32}
  AND toUInt32(bucket) >= {from:UInt32}
  AND toUInt32(bucket) < {to:UInt32}
GROUP BY bucket
ORDER BY toInt64(start) * {direction:Int8}
LIMIT {limit:UInt32}
