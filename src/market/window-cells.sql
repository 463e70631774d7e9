-- Swaps of a span of seconds by bucket, token, quote and venue: of some slots, and of single transactions. In the order of
-- the table, so that the server has one token's sums in memory at a time.
SELECT
  mint,
  quote_mint,
  venue,
  toUInt32(intDiv(toUInt32(time), {width:UInt32}) * {width:UInt32}) AS start,
  toUInt32(countIf(is_buy)) AS buys,
  toUInt32(countIf(NOT is_buy)) AS sells,
  toInt128(sum(toInt128(quote_amount))) AS volume
FROM swaps
WHERE slot > {after:UInt32}
  AND (slot <= {last:UInt32} OR slot IN (SELECT slot FROM partial_slots))
  AND toUInt32(time) >= {since:UInt32}
  AND toUInt32(time) < {until:UInt32}
GROUP BY mint, quote_mint, venue, start
SETTINGS optimize_aggregation_in_order = 1
