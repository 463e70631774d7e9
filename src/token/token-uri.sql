-- A mint's URI: its creation's, else what its accounts tell.
SELECT uri
FROM (
  SELECT uri, 0 AS place
  FROM token_creations
  WHERE mint = toFixedString(base58Decode({mint:String}), 32)
  ORDER BY mint, slot, block_index, ix_index
  LIMIT 1
  UNION ALL
  SELECT uri, 1 AS place
  FROM hydrated_tokens FINAL
  WHERE mint = toFixedString(base58Decode({mint:String}), 32) AND found AND named
)
ORDER BY place
LIMIT 1
