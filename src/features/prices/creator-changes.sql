-- Changes of who earns the creator fees of a mint, the newest first.
SELECT slot, time, previous, creator, reason
FROM creator_changes
WHERE mint = toFixedString(base58Decode({mint:String}), 32) AND (slot <= {mark:UInt32} OR partial)
ORDER BY mint DESC, slot DESC, block_index DESC, ix_index DESC
LIMIT {limit:UInt32}
