-- Mints with the largest volume in SOL since a minute.
SELECT
  mint,
  toInt128(sum(buy_quote) + sum(sell_quote)) AS volume,
  sum(buys) + sum(sells) AS trades
FROM mint_minutes
WHERE toUInt32(minute) >= {hour:UInt32}
  AND quote_mint = toFixedString('', 32)
GROUP BY mint
ORDER BY volume DESC, mint
LIMIT {limit:UInt32}
