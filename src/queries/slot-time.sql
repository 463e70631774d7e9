-- The first and the last block of a range of slots, with their times.
SELECT
  toUInt32(min(slot)) AS first_slot, toUInt32(max(slot)) AS last_slot,
  toUInt32(min(time)) AS first_time, toUInt32(max(time)) AS last_time
FROM blocks
WHERE slot BETWEEN {first:UInt32} AND {last:UInt32} AND time > 0
