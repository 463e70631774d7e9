-- Mints by their names as they are served, the newest first: of creations, and behind them those of which accounts tell.
-- A place has one creation. Of accounts hardly any name has what is not shown, and it is longer then: few are taken apart.
-- Rows that another has replaced are asked for too, because whoever asks looks at the names again.
SELECT slot, block_index, ix_index, mint
FROM (
  SELECT slot, block_index, ix_index, mint
  FROM tokens_by_name
  WHERE name = {name:String} AND (slot <= {mark:UInt32} OR partial)
  ORDER BY slot DESC, block_index DESC, ix_index DESC
  LIMIT {limit:UInt32}
  UNION ALL
  SELECT DISTINCT toUInt32(0) AS slot, toUInt32(0) AS block_index, toUInt16(0) AS ix_index, mint
  FROM hydrated_tokens
  WHERE found AND named
    AND (
      name = {name:String}
      OR (
        length(name) > length({name:String})
        AND hasSubsequence(name, {name:String})
        AND replaceRegexpAll(name, {unprintable:String}, '') = {name:String}
      )
    )
  ORDER BY base58Encode(mint)
  LIMIT {limit:UInt32}
)
ORDER BY slot DESC, block_index DESC, ix_index DESC, base58Encode(mint)
LIMIT {limit:UInt32}
