-- Of blocks behind a slot and up to a mark: the first and the last one of a span of seconds, 0 and 0 without any, and how
-- many lie before it.
SELECT
  toUInt32(minIf(slot, toUInt32(time) >= {since:UInt32} AND toUInt32(time) < {until:UInt32})) AS first,
  toUInt32(maxIf(slot, toUInt32(time) >= {since:UInt32} AND toUInt32(time) < {until:UInt32})) AS last,
  toUInt32(countIf(toUInt32(time) > 0 AND toUInt32(time) < {since:UInt32})) AS older
FROM blocks
WHERE slot > {after:UInt32} AND slot <= {mark:UInt32}
