-- Swaps of a mint since a time, newest first.
SELECT
  time, trader, is_buy, quote_mint, quote_decimals, quote_amount, protocol_actor, signature, ix_index
FROM swaps
WHERE mint = toFixedString(base58Decode({mint:String}), 32)
  AND (slot <= {mark:UInt32} OR partial)
  AND toUInt32(time) >= {since:UInt32}
ORDER BY mint DESC, slot DESC, block_index DESC, ix_index DESC
LIMIT {limit:UInt32}
