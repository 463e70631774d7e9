-- The newest block up to a slot that tells its time.
SELECT slot, toUInt32(time) AS time
FROM blocks
WHERE slot <= {mark:UInt32} AND time > 0
ORDER BY slot DESC
LIMIT 1
