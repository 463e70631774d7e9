-- Rows of a mint after a place, oldest first. A place is a second and, when `inside` is set, what a
-- cursor keeps of a position in it: slots of one second are near each other, so that the last
-- five digits tell their order. Read in the table's own order, until the page is full.
SELECT $columns
FROM $table
WHERE mint = toFixedString(base58Decode({mint:String}), 32)
  AND (slot <= {mark:UInt32} OR partial)
  AND $kept
  AND (
    toInt64(toUInt32(time)) > {time:Int64}
    OR ({inside:Bool} AND toInt64(toUInt32(time)) = {time:Int64} AND (
      (toInt32(slot % 100000) - {slot_modulo:Int32} + 150000) % 100000 - 50000,
      toInt32(block_index),
      toInt32(ix_index)
    ) > (0, {block_index:Int32}, {ix_index:Int32}))
  )
ORDER BY mint, slot, block_index, ix_index
LIMIT {limit:UInt32}
