-- Swaps of the launchpad and its AMM in a window that begins with a minute: whole minutes out of the rollup, the running
-- one out of the swaps, which know their slots.
SELECT
  toUInt64(sum(swaps)) AS trades,
  toInt128(sumIf(amount, is_sol)) AS volume
FROM (
  SELECT buys + sells AS swaps, venue_minutes.quote_amount AS amount, quote_mint = toFixedString('', 32) AS is_sol
  FROM venue_minutes
  WHERE venue IN (0, 1) AND toUInt32(minute) >= {window:UInt32} AND toUInt32(minute) < {running:UInt32}
  UNION ALL
  SELECT toUInt64(1), toUInt128(quote_amount), quote_mint = toFixedString('', 32)
  FROM swaps
  WHERE venue IN (0, 1)
    AND slot >= {running_slot:UInt32}
    AND (slot <= {mark:UInt32} OR partial)
    AND toUInt32(time) >= {running:UInt32}
)
