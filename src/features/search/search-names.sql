-- What is known of the names and prices of the mints of a range, a row for each place that tells: 1 creations, the first
-- of each mint, 2 accounts of the chain, 3 trades, 4 migrations.
SELECT
  toUInt8(1) AS kind, mint, name, symbol, slot, block_index, ix_index,
  toFixedString('', 32) AS quote_mint, toUInt64(0) AS price_quote, toUInt64(0) AS price_token, toUInt64(0) AS traded_at
FROM (
  SELECT mint, name, symbol, slot, block_index, ix_index
  FROM token_creations
  WHERE mint >= toFixedString(unhex({low:String}), 32)
    AND ({is_last:Bool} OR mint < toFixedString(unhex({high:String}), 32))
    AND (slot <= {mark:UInt32} OR partial)
  ORDER BY mint, slot, block_index, ix_index
  LIMIT 1 BY mint
)
UNION ALL
SELECT
  toUInt8(2) AS kind, mint, name, symbol, toUInt32(0) AS slot, toUInt32(0) AS block_index, toUInt16(0) AS ix_index,
  toFixedString('', 32) AS quote_mint, toUInt64(0) AS price_quote, toUInt64(0) AS price_token, toUInt64(0) AS traded_at
FROM hydrated_tokens FINAL
WHERE mint >= toFixedString(unhex({low:String}), 32)
  AND ({is_last:Bool} OR mint < toFixedString(unhex({high:String}), 32))
  AND found AND named
UNION ALL
SELECT
  toUInt8(3) AS kind, mint, '' AS name, '' AS symbol, toUInt32(0) AS slot, toUInt32(0) AS block_index,
  toUInt16(0) AS ix_index, tupleElement(priced, 5) AS quote_mint, tupleElement(priced, 3) AS price_quote,
  tupleElement(priced, 4) AS price_token, tupleElement(traded, 1) AS traded_at
FROM (
  SELECT mint, max(last_trade) AS traded, max(last_priced) AS priced
  FROM token_latest
  WHERE mint >= toFixedString(unhex({low:String}), 32)
    AND ({is_last:Bool} OR mint < toFixedString(unhex({high:String}), 32))
  GROUP BY mint
)
UNION ALL
SELECT DISTINCT
  toUInt8(4) AS kind, mint, '' AS name, '' AS symbol, toUInt32(0) AS slot, toUInt32(0) AS block_index,
  toUInt16(0) AS ix_index, toFixedString('', 32) AS quote_mint, toUInt64(0) AS price_quote, toUInt64(0) AS price_token,
  toUInt64(0) AS traded_at
FROM token_graduations
WHERE mint >= toFixedString(unhex({low:String}), 32)
  AND ({is_last:Bool} OR mint < toFixedString(unhex({high:String}), 32))
  AND (slot <= {mark:UInt32} OR partial)
