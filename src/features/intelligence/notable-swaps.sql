-- Newest swaps of a mint that some wallets made or that were of at least so many tokens, newest first.
SELECT slot, block_index, ix_index, time, signature, trader, is_buy, quote_mint, quote_amount, token_amount
FROM swaps
WHERE mint = toFixedString(base58Decode({mint:String}), 32)
  AND (slot <= {mark:UInt32} OR partial)
  AND NOT protocol_actor
  AND (
    token_amount >= {tokens:UInt64}
    OR trader IN (SELECT toFixedString(base58Decode(arrayJoin({wallets:Array(String)})), 32))
  )
ORDER BY mint DESC, slot DESC, block_index DESC, ix_index DESC
LIMIT {most:UInt32}
