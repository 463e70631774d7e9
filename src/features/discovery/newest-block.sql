-- When the newest block up to a slot was that tells its time.
SELECT toUInt32(time) AS time
FROM blocks
WHERE slot <= {mark:UInt32} AND time > 0
ORDER BY slot DESC
LIMIT 1
