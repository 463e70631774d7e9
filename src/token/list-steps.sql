-- The last price of some mints in each step of some seconds of the hour up to a moment, up to a mark, per quote, raw quote
-- over raw token. A step begins behind its first second, but for the hour's own.
SELECT
  mint,
  quote_mint,
  toUInt8(intDiv(greatest(toUInt32(time) + 3600 - {now:UInt32}, 1) - 1, {width:UInt32})) AS step,
  argMax(price, (slot, block_index, ix_index)) AS price
FROM swaps
WHERE mint IN (SELECT toFixedString(base58Decode(arrayJoin({mints:Array(String)})), 32))
  AND (slot <= {mark:UInt32} OR partial)
  AND toUInt32(time) + 3600 >= {now:UInt32}
  AND toUInt32(time) <= {now:UInt32}
  AND priced
GROUP BY mint, quote_mint, step
