-- When the first slots of a range were: 0 while none of them has a block that tells its time.
SELECT toUInt32(min(time)) AS began
FROM blocks
WHERE slot BETWEEN {first:UInt32} AND {last:UInt32} AND time > 0
