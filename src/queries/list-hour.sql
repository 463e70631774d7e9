-- Swaps and volume of some mints since a minute, per quote, raw quote units.
SELECT
  mint,
  quote_mint,
  toUInt32(sum(buys) + sum(sells)) AS trades,
  toInt128(sum(buy_quote) + sum(sell_quote)) AS volume
FROM mint_minutes
WHERE mint IN (SELECT toFixedString(base58Decode(arrayJoin({mints:Array(String)})), 32))
  AND toUInt32(minute) >= {since:UInt32}
GROUP BY mint, quote_mint
