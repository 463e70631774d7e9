-- The slot with which a part of a window begins that is read out of facts, for each of some times: the first one of those up
-- to a mark whose block is no older, or the one behind the last older block before it, as single transactions of slots
-- without a block may lie between. And the last slot whose block is in a span.
SELECT
  arrayMap((first, behind) -> toUInt32(least(first, behind)), firsts, behinds) AS begins,
  last_before
FROM (
  SELECT
    minForEach(arrayMap(at -> if(toUInt32(blocks.time) >= at, slot, {mark:UInt32} + 1), {times:Array(UInt32)})) AS firsts,
    maxForEach(arrayMap(
      at -> if(toUInt32(blocks.time) > 0 AND toUInt32(blocks.time) < at, slot + 1, {from_slot:UInt32}),
      {times:Array(UInt32)}
    )) AS behinds,
    maxIf(slot, toUInt32(blocks.time) >= {begin:UInt32} AND toUInt32(blocks.time) < {end:UInt32}) AS last_before
  FROM blocks
  WHERE slot BETWEEN {from_slot:UInt32} AND {mark:UInt32}
)
