-- The first wallets that bought a mint, in order of their first buys, out of the first so many of its swaps.
SELECT trader AS wallet, slot
FROM (
  SELECT trader, slot, block_index, ix_index, is_buy, protocol_actor
  FROM swaps
  WHERE mint = toFixedString(base58Decode({mint:String}), 32) AND (slot <= {mark:UInt32} OR partial)
  ORDER BY mint, slot, block_index, ix_index
  LIMIT {swaps:UInt32}
)
WHERE is_buy AND NOT protocol_actor AND trader != toFixedString(base58Decode({creator:String}), 32)
ORDER BY slot, block_index, ix_index
LIMIT 1 BY trader
LIMIT {limit:UInt32}
