-- Trades of some mints in some quotes up to a moment, by hour: what they come to, raw quote units, and the last price, raw
-- quote over raw token. Hours end with minutes; the first one, step 0, has everything up to its end, `first`, and the last
-- one the minute that is running. What lies before a day, that of `first`, is told by days. `at` is the place of the last
-- trade: its slot above 32 bits.
SELECT
  mint,
  quote_mint,
  toUInt8(least({steps:UInt8} - 1, greatest(0, intDiv(toInt64(toUInt32(bucket)) - {first:UInt32} + 3659, 3600)))) AS step,
  tupleElement(max(close), 1) AS at,
  tupleElement(max(close), 2) AS price,
  toInt128(sum(candles.volume)) AS volume,
  toUInt64(sum(candles.trades)) AS trades
FROM candles
WHERE mint IN (SELECT toFixedString(base58Decode(arrayJoin({mints:Array(String)})), 32))
  AND quote_mint IN (SELECT toFixedString(base58Decode(arrayJoin({quotes:Array(String)})), 32))
  AND (
    (seconds = 60 AND toUInt32(bucket) >= {day:UInt32} AND toUInt32(bucket) <= {now:UInt32})
    OR (seconds = 86400 AND toUInt32(bucket) > 0 AND toUInt32(bucket) < {day:UInt32})
  )
GROUP BY mint, quote_mint, step
