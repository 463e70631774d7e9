-- Slots of a span of seconds that have a block.
SELECT slot, toUInt32(time) AS time
FROM blocks
WHERE slot BETWEEN {first:UInt32} AND {last:UInt32}
  AND toUInt32(time) BETWEEN {since:UInt32} AND {until:UInt32}
ORDER BY slot
