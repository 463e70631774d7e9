-- Tips by step: whole minutes out of the rollup, the running one out of slots.
SELECT
  toUInt32(intDiv(at, {step:UInt32}) * {step:UInt32}) AS start,
  toInt128(sum(toInt128(tipped))) AS value
FROM (
  SELECT toUInt32(minute) AS at, tip_minutes.lamports AS tipped
  FROM tip_minutes
  WHERE toUInt32(minute) >= {from:UInt32} AND toUInt32(minute) < {to:UInt32} AND toUInt32(minute) < {running:UInt32}
  UNION ALL
  SELECT toUInt32(time), slot_tips.lamports
  FROM slot_tips
  WHERE slot BETWEEN {running_slot:UInt32} AND {mark:UInt32}
    AND toUInt32(time) >= {from:UInt32} AND toUInt32(time) < {to:UInt32} AND toUInt32(time) >= {running:UInt32}
)
GROUP BY start
ORDER BY start
