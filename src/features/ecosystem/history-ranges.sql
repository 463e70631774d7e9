-- Times of the first and of the last blocks of each range of whole slots, by the range's first slot, in order of slots.
SELECT
  first,
  arrayMap(each -> toUInt32(bitAnd(each, 4294967295)), groupArraySorted(16)(at)) AS begin,
  arrayMap(each -> toUInt32(bitAnd(bitNot(each), 4294967295)), groupArraySorted(16)(bitNot(at))) AS end
FROM (
  SELECT
    toUInt32(roundDown(slot, {firsts:Array(UInt32)})) AS first,
    bitShiftLeft(toUInt64(slot), 32) + toUInt32(time) AS at
  FROM blocks
  WHERE slot BETWEEN {from_slot:UInt32} AND {mark:UInt32} AND toUInt32(time) > 0
    AND slot BETWEEN first AND transform(first, {firsts:Array(UInt32)}, {lasts:Array(UInt32)}, toUInt32(0))
)
GROUP BY first
ORDER BY first
