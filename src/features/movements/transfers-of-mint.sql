-- Sends of a mint before a position, newest first, in the table's own order; hidden ones where they are asked for.
SELECT $columns
FROM transfers
WHERE mint = toFixedString(base58Decode({mint:String}), 32)
  AND (slot <= {mark:UInt32} OR partial)
  AND (NOT hidden OR {hidden:Bool})
  AND slot <= {slot:UInt32}
  AND (slot, block_index, ix_index) < ({slot:UInt32}, {block_index:UInt32}, {ix_index:UInt16})
ORDER BY mint DESC, slot DESC, block_index DESC, ix_index DESC
LIMIT {limit:UInt32}
