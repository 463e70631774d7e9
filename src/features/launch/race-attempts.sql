-- Reverted attempts of a mint in a range of slots, oldest first, in the table's own order: a range of its key.
SELECT $columns
FROM attempts
WHERE mint = toFixedString(base58Decode({mint:String}), 32)
  AND slot BETWEEN {first:UInt32} AND {last:UInt32}
  AND (slot <= {mark:UInt32} OR partial)
ORDER BY mint, slot, block_index, ix_index
LIMIT {limit:UInt32}
