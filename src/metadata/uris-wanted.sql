-- Of a window of the newest tokens those whose documents were never read, or whose time to be asked for
-- again has come, newest first. Creations lie in the order of mints, a granule for each that is looked up:
-- their URIs are read of those alone that are wanted, which soon are few.
WITH born AS (
  SELECT mint, slot, block_index, ix_index
  FROM tokens_by_creation
  ORDER BY slot DESC, block_index DESC, ix_index DESC
  LIMIT {window:UInt32} OFFSET {offset:UInt32}
),
wanted AS (
  SELECT mint, tries
  FROM born
  LEFT ANY JOIN (
    SELECT mint, state, retry_at, tries FROM token_metadata FINAL WHERE mint IN (SELECT mint FROM born)
  ) AS known USING mint
  WHERE known.state = '' OR (known.state = 'waiting' AND known.retry_at <= toDateTime({now:UInt32}, 'UTC'))
  ORDER BY slot DESC, block_index DESC, ix_index DESC
  LIMIT {limit:UInt32}
)
SELECT mint, uri, tries
FROM token_creations
INNER ANY JOIN wanted USING mint
WHERE mint IN (SELECT mint FROM wanted)
ORDER BY slot DESC, block_index DESC, ix_index DESC
