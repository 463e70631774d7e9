-- Swaps, volume and earlier prices of some mints up to a mark, per quote, raw quote units and raw quote over raw token, in
-- the hour up to a moment. Prices are 0 where no swap of the minute before the hour, or since, tells them.
SELECT
  mint,
  quote_mint,
  toUInt32(countIf(toUInt32(time) + 3600 >= {now:UInt32})) AS trades,
  toInt128(sumIf(toInt128(quote_amount), toUInt32(time) + 3600 >= {now:UInt32})) AS volume,
  argMaxIf(price, (slot, block_index, ix_index), priced AND toUInt32(time) + 300 < {now:UInt32}) AS before_five,
  argMaxIf(price, (slot, block_index, ix_index), priced AND toUInt32(time) + 3600 < {now:UInt32}) AS before_hour
FROM swaps
WHERE mint IN (SELECT toFixedString(base58Decode(arrayJoin({mints:Array(String)})), 32))
  AND (slot <= {mark:UInt32} OR partial)
  AND toUInt32(time) + 3600 >= intDiv({now:UInt32}, 60) * 60
  AND toUInt32(time) <= {now:UInt32}
GROUP BY mint, quote_mint
