-- What swaps of the launchpad and its AMM paid by step: whole minutes out of the rollup, the running one out of the swaps.
SELECT
  toUInt32(intDiv(at, {step:UInt32}) * {step:UInt32}) AS start,
  toInt128(sum(multiIf(
    {metric:String} = 'fees', toInt128(paid),
    {metric:String} = 'creator_fees', toInt128(to_creators),
    {metric:String} = 'priority_fees', toInt128(priority),
    toInt128(tipping)
  ))) AS value
FROM (
  SELECT
    toUInt32(minute) AS at, fee_minutes.fees AS paid, fee_minutes.creator_fees AS to_creators,
    fee_minutes.priority_fees AS priority, fee_minutes.tip_swaps AS tipping
  FROM fee_minutes
  WHERE venue IN (0, 1)
    AND toUInt32(minute) >= {from:UInt32} AND toUInt32(minute) < {to:UInt32} AND toUInt32(minute) < {running:UInt32}
  UNION ALL
  SELECT
    toUInt32(time),
    toUInt128(if(quote_mint = toFixedString('', 32) AND NOT fee_in_token, fee, 0)),
    toUInt128(if(quote_mint = toFixedString('', 32) AND NOT fee_in_token, creator_fee, 0)),
    -- Once a transaction, as in the rollup.
    toUInt128(if(row_number() OVER (PARTITION BY slot, block_index ORDER BY priority_fee DESC) = 1, priority_fee, 0)),
    toUInt64(tip > 0)
  FROM swaps
  WHERE venue IN (0, 1)
    AND slot >= {running_slot:UInt32}
    AND (slot <= {mark:UInt32} OR partial)
    AND toUInt32(time) >= {from:UInt32} AND toUInt32(time) < {to:UInt32} AND toUInt32(time) >= {running:UInt32}
)
GROUP BY start
ORDER BY start
