-- A mint's creation: the first one seen.
SELECT $columns
FROM token_creations
WHERE mint = toFixedString(base58Decode({mint:String}), 32)
  AND (slot <= {mark:UInt32} OR partial)
ORDER BY mint, slot, block_index, ix_index
LIMIT 1
