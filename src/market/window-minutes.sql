-- Starts of the minutes in which blocks of some slots lie, and swaps of them that came without their block.
SELECT DISTINCT toUInt32(intDiv(toUInt32(time), 60) * 60) AS start
FROM (
  SELECT time FROM blocks WHERE slot BETWEEN {first:UInt32} AND {last:UInt32}
  UNION ALL
  SELECT time FROM swaps
  WHERE slot IN (SELECT slot FROM partial_slots WHERE slot BETWEEN {first:UInt32} AND {last:UInt32})
)
WHERE toUInt32(time) > 0
ORDER BY start
