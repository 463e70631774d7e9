-- Swaps of the launchpad and its AMM by step: whole minutes out of the rollup, the running one out of the swaps.
SELECT
  toUInt32(intDiv(at, {step:UInt32}) * {step:UInt32}) AS start,
  toInt128(sum(multiIf(
    {metric:String} = 'buys', toInt128(bought),
    {metric:String} = 'sells', toInt128(sold),
    {metric:String} = 'trades', toInt128(bought) + toInt128(sold),
    if(is_sol, toInt128(amount), 0)
  ))) AS value
FROM (
  SELECT
    toUInt32(minute) AS at, venue_minutes.buys AS bought, venue_minutes.sells AS sold,
    venue_minutes.quote_amount AS amount, quote_mint = toFixedString('', 32) AS is_sol
  FROM venue_minutes
  WHERE venue IN (0, 1)
    AND toUInt32(minute) >= {from:UInt32} AND toUInt32(minute) < {to:UInt32} AND toUInt32(minute) < {running:UInt32}
  UNION ALL
  SELECT
    toUInt32(time), toUInt64(is_buy), toUInt64(NOT is_buy), toUInt128(quote_amount),
    quote_mint = toFixedString('', 32)
  FROM swaps
  WHERE venue IN (0, 1)
    AND slot >= {running_slot:UInt32}
    AND (slot <= {mark:UInt32} OR partial)
    AND toUInt32(time) >= {from:UInt32} AND toUInt32(time) < {to:UInt32} AND toUInt32(time) >= {running:UInt32}
)
GROUP BY start
ORDER BY start
