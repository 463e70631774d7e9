-- Swaps of a span of seconds by token, quote and venue, with what each bucket comes to packed behind one another: start, buys,
-- sells, the volume's low 32 bits and what is above them, 24 bytes a bucket. A row for each bucket took three times the bytes.
-- Of some slots, and of single transactions. In the order of the table, so that the server has one token's sums in memory
-- at a time.
SELECT
  mint,
  quote_mint,
  venue,
  arrayStringConcat(groupArray(concat(
    reinterpretAsFixedString(start),
    reinterpretAsFixedString(buys),
    reinterpretAsFixedString(sells),
    reinterpretAsFixedString(toUInt32(bitAnd(volume, 0xFFFFFFFF))),
    reinterpretAsFixedString(toUInt64(bitShiftRight(volume, 32)))
  ))) AS cells
FROM (
  SELECT
    mint,
    quote_mint,
    venue,
    toUInt32(intDiv(toUInt32(time), {width:UInt32}) * {width:UInt32}) AS start,
    toUInt32(countIf(is_buy)) AS buys,
    toUInt32(countIf(NOT is_buy)) AS sells,
    sum(toUInt128(quote_amount)) AS volume
  FROM swaps
  WHERE slot > {after:UInt32}
    AND (slot <= {last:UInt32} OR slot IN (SELECT slot FROM partial_slots))
    AND toUInt32(time) >= {since:UInt32}
    AND toUInt32(time) < {until:UInt32}
  GROUP BY mint, quote_mint, venue, start
)
GROUP BY mint, quote_mint, venue
SETTINGS optimize_aggregation_in_order = 1
