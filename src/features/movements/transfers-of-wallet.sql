-- Places of a wallet's sends, before a position and mint, newest first. A send to itself has two rows, and
-- sends of several mints may share a position: `read` rows, more than are asked for, come in the table's own order.
SELECT slot, block_index, ix_index, mint, time
FROM (
  SELECT slot, block_index, ix_index, mint, time
  FROM transfers_by_wallet
  WHERE wallet = toFixedString(base58Decode({wallet:String}), 32)
    AND (slot <= {mark:UInt32} OR partial)
    AND NOT hidden
    AND if(is_sender, {sent:Bool}, {received:Bool})
    AND slot <= {slot:UInt32}
    AND (slot, block_index, ix_index, mint)
      < ({slot:UInt32}, {block_index:UInt32}, {ix_index:UInt16}, toFixedString(base58Decode({mint:String}), 32))
  ORDER BY wallet DESC, slot DESC, block_index DESC, ix_index DESC
  LIMIT {read:UInt32}
)
ORDER BY slot DESC, block_index DESC, ix_index DESC, mint DESC
LIMIT 1 BY slot, block_index, ix_index, mint
LIMIT {limit:UInt32}
