-- Pools that were made of a mint, the newest first.
SELECT
  pool, slot, block_index, ix_index, time, partial, quote_mint, inverted, canonical, creator, quote_decimals,
  token_amount, quote_amount
FROM pools
WHERE mint = toFixedString(base58Decode({mint:String}), 32) AND (slot <= {mark:UInt32} OR partial)
ORDER BY mint DESC, slot DESC, block_index DESC, ix_index DESC
LIMIT {limit:UInt32}
