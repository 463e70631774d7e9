-- Two turns of the second among the blocks of some slots: the first and the last one. Block times are
-- whole seconds, so that only their turns tell within a slot when it was.
WITH (
  SELECT (toUInt32(min(time)), toUInt32(max(time)))
  FROM blocks
  WHERE slot BETWEEN {first:UInt32} AND {last:UInt32} AND time > 0
) AS ends
SELECT
  toUInt32(minIf(slot, toUInt32(time) > ends.1)) AS first_slot,
  toUInt32(minIf(slot, toUInt32(time) = ends.2)) AS last_slot,
  toUInt32(minIf(toUInt32(time), toUInt32(time) > ends.1)) AS first_time,
  ends.2 AS last_time
FROM blocks
WHERE slot BETWEEN {first:UInt32} AND {last:UInt32} AND time > 0
