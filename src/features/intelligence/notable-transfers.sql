-- Newest sends of a mint by some wallets (1) and newest burns of it by anybody (2), each newest first.
-- Of several senders (3) who got what is only possible.
SELECT toUInt8(if(ambiguous, 3, 1)) AS kind, slot, block_index, ix_index, time, signature, sender AS wallet,
  receiver, amount
FROM (
  SELECT slot, block_index, ix_index, time, signature, sender, receiver, amount, ambiguous
  FROM transfers
  WHERE mint = toFixedString(base58Decode({mint:String}), 32)
    AND (slot <= {mark:UInt32} OR partial)
    AND sender IN (SELECT toFixedString(base58Decode(arrayJoin({wallets:Array(String)})), 32))
  ORDER BY mint DESC, slot DESC, block_index DESC, ix_index DESC
  LIMIT {most:UInt32}
)
UNION ALL
SELECT
  toUInt8(2) AS kind, slot, block_index, ix_index, time, signature, owner AS wallet,
  owner AS receiver, amount
FROM (
  SELECT slot, block_index, ix_index, time, signature, owner, amount
  FROM burns
  WHERE mint = toFixedString(base58Decode({mint:String}), 32) AND (slot <= {mark:UInt32} OR partial)
  ORDER BY mint DESC, slot DESC, block_index DESC, ix_index DESC
  LIMIT {most:UInt32}
)
