-- The last quote of each step that has one.
SELECT
  toUInt32(intDiv(toUInt32(minute), {step:UInt32}) * {step:UInt32}) AS start,
  argMax(usd_micros, (minute, quoted_ms, usd_micros)) AS usd_micros
FROM sol_prices
WHERE minute >= toDateTime({from:UInt32}, 'UTC') AND toUInt32(minute) < {to:UInt32}
GROUP BY start
ORDER BY start
