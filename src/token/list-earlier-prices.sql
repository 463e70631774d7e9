-- The last price of some mints before the minute in which the hour up to a moment began, per quote, raw quote over raw token.
SELECT
  mint,
  quote_mint,
  tupleElement(max(close), 2) AS price
FROM candles
WHERE mint IN (SELECT toFixedString(base58Decode(arrayJoin({mints:Array(String)})), 32))
  AND seconds = 60
  AND toUInt32(bucket) + 3600 < intDiv({now:UInt32}, 60) * 60
GROUP BY mint, quote_mint
