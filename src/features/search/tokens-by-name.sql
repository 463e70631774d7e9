-- Mints by their names as they are served, the newest first: of creations, and behind them those of which accounts tell.
SELECT slot, block_index, ix_index, mint
FROM (
  SELECT slot, block_index, ix_index, mint
  FROM tokens_by_name
  WHERE name = {name:String} AND (slot <= {mark:UInt32} OR partial)
  ORDER BY slot DESC, block_index DESC, ix_index DESC, base58Encode(mint)
  LIMIT {limit:UInt32}
  UNION ALL
  SELECT toUInt32(0) AS slot, toUInt32(0) AS block_index, toUInt16(0) AS ix_index, mint
  FROM hydrated_tokens FINAL
  WHERE found AND named
    AND replaceRegexpAll(
      name,
      '[\\x{0}-\\x{1f}\\x{7f}-\\x{9f}\\x{ad}\\x{600}-\\x{605}\\x{61c}\\x{6dd}\\x{70f}\\x{890}-\\x{891}\\x{8e2}\\x{180e}\\x{200b}\\x{200e}-\\x{200f}\\x{2028}-\\x{202e}\\x{2060}-\\x{2064}\\x{2066}-\\x{206f}\\x{feff}\\x{fff9}-\\x{fffb}\\x{110bd}\\x{110cd}\\x{13430}-\\x{1343f}\\x{1bca0}-\\x{1bca3}\\x{1d173}-\\x{1d17a}\\x{e0001}\\x{e0020}-\\x{e007f}]',
      ''
    ) = {name:String}
    AND mint NOT IN (SELECT mint FROM tokens_by_name WHERE name = {name:String})
  ORDER BY base58Encode(mint)
  LIMIT {limit:UInt32}
)
ORDER BY slot DESC, block_index DESC, ix_index DESC, base58Encode(mint)
LIMIT {limit:UInt32}
