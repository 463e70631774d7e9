-- Swaps per minute since a minute, oldest first.
SELECT toUInt32(minute) AS start, sum(block_minutes.swaps) AS swaps
FROM block_minutes
WHERE toUInt32(minute) >= {hour:UInt32}
GROUP BY minute
ORDER BY minute
