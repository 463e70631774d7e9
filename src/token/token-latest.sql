-- The newest swap of a mint (kind 0) and the newest that prices it (kind 1).
SELECT toUInt8(0) AS kind, slot, block_index, ix_index, time, venue, pool, quote_mint, quote_decimals, token_decimals, price_quote, price_token,
  real_quote_reserves, real_token_reserves, reserves_known
FROM (
  SELECT slot, block_index, ix_index, time, venue, pool, quote_mint, quote_decimals, token_decimals, price_quote, price_token,
  real_quote_reserves, real_token_reserves, reserves_known
  FROM swaps
  WHERE mint = toFixedString(base58Decode({mint:String}), 32) AND (slot <= {mark:UInt32} OR partial)
  ORDER BY mint DESC, slot DESC, block_index DESC, ix_index DESC
  LIMIT 1
)
UNION ALL
SELECT toUInt8(1) AS kind, slot, block_index, ix_index, time, venue, pool, quote_mint, quote_decimals, token_decimals, price_quote, price_token,
  real_quote_reserves, real_token_reserves, reserves_known
FROM (
  SELECT slot, block_index, ix_index, time, venue, pool, quote_mint, quote_decimals, token_decimals, price_quote, price_token,
  real_quote_reserves, real_token_reserves, reserves_known
  FROM swaps
  WHERE mint = toFixedString(base58Decode({mint:String}), 32) AND (slot <= {mark:UInt32} OR partial) AND priced
  ORDER BY mint DESC, slot DESC, block_index DESC, ix_index DESC
  LIMIT 1
)
