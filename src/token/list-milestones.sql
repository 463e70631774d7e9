-- Milestones of some mints after their creation, as in token-milestones.
SELECT toUInt8(1) AS kind, slot, block_index, ix_index, time, bonding_curve AS address, mint
FROM (
  SELECT * FROM curve_completions
  WHERE mint IN (SELECT toFixedString(base58Decode(arrayJoin({mints:Array(String)})), 32)) AND (slot <= {mark:UInt32} OR partial)
  ORDER BY mint, slot, block_index, ix_index
  LIMIT 1 BY mint
)
UNION ALL
SELECT toUInt8(2) AS kind, slot, block_index, ix_index, time, pool AS address, mint
FROM (
  SELECT * FROM token_graduations
  WHERE mint IN (SELECT toFixedString(base58Decode(arrayJoin({mints:Array(String)})), 32)) AND (slot <= {mark:UInt32} OR partial)
  ORDER BY mint, slot, block_index, ix_index
  LIMIT 1 BY mint
)
UNION ALL
SELECT toUInt8(3) AS kind, slot, block_index, ix_index, time, creator AS address, mint
FROM (
  SELECT * FROM creator_changes
  WHERE mint IN (SELECT toFixedString(base58Decode(arrayJoin({mints:Array(String)})), 32)) AND (slot <= {mark:UInt32} OR partial)
  ORDER BY mint DESC, slot DESC, block_index DESC, ix_index DESC
  LIMIT 1 BY mint
)
