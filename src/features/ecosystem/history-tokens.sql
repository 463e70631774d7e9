-- Tokens created, or migrations, by step.
SELECT toUInt32(intDiv(toUInt32(time), {step:UInt32}) * {step:UInt32}) AS start, toInt128(count()) AS value
FROM (
  SELECT time FROM tokens_by_creation
  WHERE {created:Bool}
    AND slot >= {from_slot:UInt32}
    AND (slot <= {mark:UInt32} OR partial)
    AND toUInt32(time) >= {from:UInt32} AND toUInt32(time) < {to:UInt32}
  UNION ALL
  SELECT time FROM token_graduations
  WHERE NOT {created:Bool}
    AND slot >= {from_slot:UInt32}
    AND (slot <= {mark:UInt32} OR partial)
    AND toUInt32(time) >= {from:UInt32} AND toUInt32(time) < {to:UInt32}
)
GROUP BY start
ORDER BY start
