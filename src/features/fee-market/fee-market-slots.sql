-- The first slot of those up to a mark whose block is no older than each of some times, one behind all slots where there is
-- none, and the last one whose block is older than the last of a span.
SELECT
  minForEach(arrayMap(at -> if(toUInt32(blocks.time) >= at, slot, 4294967295), {times:Array(UInt32)})) AS firsts,
  maxIf(slot, toUInt32(blocks.time) >= {begin:UInt32} AND toUInt32(blocks.time) < {end:UInt32}) AS last_before
FROM blocks
WHERE slot BETWEEN {from_slot:UInt32} AND {mark:UInt32}
