-- Times of the first and the last block of each range of whole slots, by the range's first slot.
SELECT
  toUInt32(roundDown(slot, {firsts:Array(UInt32)})) AS first,
  toUInt32(min(time)) AS from,
  toUInt32(max(time)) AS to
FROM blocks
WHERE slot BETWEEN {from_slot:UInt32} AND {mark:UInt32} AND toUInt32(time) > 0
GROUP BY first
ORDER BY first
