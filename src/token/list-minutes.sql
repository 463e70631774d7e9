-- Swaps, volume and last price of some mints per minute and quote since a minute, raw quote units.
-- `close` is 0 in a minute without a swap that prices the mint.
SELECT
  mint,
  quote_mint,
  toUInt32(toStartOfMinute(time)) AS start,
  toUInt32(count()) AS trades,
  toInt128(sum(toInt128(quote_amount))) AS volume,
  argMaxIf(price, (slot, block_index, ix_index), priced) AS close
FROM swaps
WHERE mint IN (SELECT toFixedString(base58Decode(arrayJoin({mints:Array(String)})), 32))
  AND (slot <= {mark:UInt32} OR partial)
  AND toUInt32(time) >= {since:UInt32}
GROUP BY mint, quote_mint, start
ORDER BY mint, start
