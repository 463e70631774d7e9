-- Milestones of a mint after its creation: 1 = the curve was full, 2 = it moved to its pool
-- (`address`), both for the first time; 3 = who earns the fees (`address`) since the newest change.
SELECT toUInt8(1) AS kind, slot, block_index, ix_index, time, bonding_curve AS address
FROM (
  SELECT * FROM curve_completions
  WHERE mint = toFixedString(base58Decode({mint:String}), 32) AND (slot <= {mark:UInt32} OR partial)
  ORDER BY mint, slot, block_index, ix_index
  LIMIT 1
)
UNION ALL
SELECT toUInt8(2) AS kind, slot, block_index, ix_index, time, pool AS address
FROM (
  SELECT * FROM token_graduations
  WHERE mint = toFixedString(base58Decode({mint:String}), 32) AND (slot <= {mark:UInt32} OR partial)
  ORDER BY mint, slot, block_index, ix_index
  LIMIT 1
)
UNION ALL
SELECT toUInt8(3) AS kind, slot, block_index, ix_index, time, creator AS address
FROM (
  SELECT * FROM creator_changes
  WHERE mint = toFixedString(base58Decode({mint:String}), 32) AND (slot <= {mark:UInt32} OR partial)
  ORDER BY mint DESC, slot DESC, block_index DESC, ix_index DESC
  LIMIT 1
)
