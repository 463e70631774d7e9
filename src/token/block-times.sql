-- The newest blocks up to a mark that tell their time.
SELECT slot, toUInt32(time) AS time
FROM blocks
WHERE slot <= {mark:UInt32} AND toUInt32(time) > 0
ORDER BY slot DESC
LIMIT {limit:UInt32}
