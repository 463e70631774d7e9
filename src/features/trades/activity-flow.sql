-- Amounts bought and sold of a mint per minute and quote, raw quote units.
SELECT
  toUInt32(toStartOfMinute(time)) AS start,
  quote_mint,
  sumIf(toInt128(quote_amount), is_buy) AS buy,
  sumIf(toInt128(quote_amount), NOT is_buy) AS sell
FROM swaps
WHERE mint = toFixedString(base58Decode({mint:String}), 32)
  AND (slot <= {mark:UInt32} OR partial)
  AND toUInt32(time) >= {since:UInt32}
GROUP BY start, quote_mint
ORDER BY start, quote_mint
LIMIT {limit:UInt32}
