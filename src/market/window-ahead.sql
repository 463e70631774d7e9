-- Blocks of some slots that are from behind a second.
SELECT slot, toUInt32(time) AS time
FROM blocks
WHERE slot > {after:UInt32} AND slot <= {mark:UInt32} AND toUInt32(time) > {now:UInt32}
ORDER BY slot
