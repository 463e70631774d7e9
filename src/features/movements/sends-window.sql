-- Sends of a mint since a time, newest first: so many of those inside trades, and as many of all others.
SELECT slot, block_index, ix_index, time, signature, partial, sender, receiver, amount, decimals, ambiguous, hidden
FROM (
  SELECT slot, block_index, ix_index, time, signature, partial, sender, receiver, amount, decimals, ambiguous, hidden
  FROM transfers
  WHERE mint = toFixedString(base58Decode({mint:String}), 32)
    AND (slot <= {mark:UInt32} OR partial)
    AND toUInt32(time) >= {since:UInt32}
    AND NOT hidden
  ORDER BY mint DESC, slot DESC, block_index DESC, ix_index DESC
  LIMIT {limit:UInt32}
  UNION ALL
  SELECT slot, block_index, ix_index, time, signature, partial, sender, receiver, amount, decimals, ambiguous, hidden
  FROM transfers
  WHERE mint = toFixedString(base58Decode({mint:String}), 32)
    AND (slot <= {mark:UInt32} OR partial)
    AND toUInt32(time) >= {since:UInt32}
    AND hidden
  ORDER BY mint DESC, slot DESC, block_index DESC, ix_index DESC
  LIMIT {limit:UInt32}
)
ORDER BY slot DESC, block_index DESC, ix_index DESC
