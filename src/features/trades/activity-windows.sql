-- A mint's swaps of three windows, a row per quote (`total` 0) and one over all of them (`total` 1).
-- The protocol's own wallets trade, but are no buyers or sellers.
SELECT
  grouping(quote_mint) = 1 AS total,
  quote_mint,
  argMax(quote_decimals, (slot, block_index, ix_index)) AS quote_decimals,
  toUInt32(count()) AS swaps,
  sumIf(toInt128(quote_amount), toUInt32(time) >= {shortest:UInt32}) AS volume_shortest,
  sumIf(toInt128(quote_amount), toUInt32(time) >= {middle:UInt32}) AS volume_middle,
  sum(toInt128(quote_amount)) AS volume_longest,
  toUInt32(countIf(is_buy AND toUInt32(time) >= {shortest:UInt32})) AS buys_shortest,
  toUInt32(countIf(is_buy AND toUInt32(time) >= {middle:UInt32})) AS buys_middle,
  toUInt32(countIf(is_buy)) AS buys_longest,
  toUInt32(countIf(NOT is_buy AND toUInt32(time) >= {shortest:UInt32})) AS sells_shortest,
  toUInt32(countIf(NOT is_buy AND toUInt32(time) >= {middle:UInt32})) AS sells_middle,
  toUInt32(countIf(NOT is_buy)) AS sells_longest,
  toUInt32(uniqExactIf(trader, is_buy AND NOT protocol_actor AND toUInt32(time) >= {shortest:UInt32})) AS buyers_shortest,
  toUInt32(uniqExactIf(trader, is_buy AND NOT protocol_actor AND toUInt32(time) >= {middle:UInt32})) AS buyers_middle,
  toUInt32(uniqExactIf(trader, is_buy AND NOT protocol_actor)) AS buyers_longest,
  toUInt32(uniqExactIf(trader, NOT is_buy AND NOT protocol_actor AND toUInt32(time) >= {shortest:UInt32})) AS sellers_shortest,
  toUInt32(uniqExactIf(trader, NOT is_buy AND NOT protocol_actor AND toUInt32(time) >= {middle:UInt32})) AS sellers_middle,
  toUInt32(uniqExactIf(trader, NOT is_buy AND NOT protocol_actor)) AS sellers_longest
FROM swaps
WHERE mint = toFixedString(base58Decode({mint:String}), 32)
  AND (slot <= {mark:UInt32} OR partial)
  AND toUInt32(time) >= {longest:UInt32}
GROUP BY GROUPING SETS ((quote_mint), ())
LIMIT {limit:UInt32}
