-- Of a window of the newest tokens those whose documents were never read, or whose time to be asked for
-- again has come, newest first.
WITH born AS (
  SELECT mint
  FROM tokens_by_creation
  ORDER BY slot DESC, block_index DESC, ix_index DESC
  LIMIT {window:UInt32} OFFSET {offset:UInt32}
)
SELECT mint, uri, tries
FROM token_creations
LEFT ANY JOIN (
  SELECT mint, state, retry_at, tries FROM token_metadata FINAL WHERE mint IN (SELECT mint FROM born)
) AS known USING mint
WHERE mint IN (SELECT mint FROM born)
  AND (known.state = '' OR (known.state = 'waiting' AND known.retry_at <= toDateTime({now:UInt32}, 'UTC')))
ORDER BY slot DESC, block_index DESC, ix_index DESC
LIMIT {limit:UInt32}
