-- Creations of some mints: the first one seen of each.
SELECT $columns
FROM token_creations
WHERE mint IN (SELECT toFixedString(base58Decode(arrayJoin({mints:Array(String)})), 32))
  AND (slot <= {mark:UInt32} OR partial)
ORDER BY mint, slot, block_index, ix_index
LIMIT 1 BY mint
