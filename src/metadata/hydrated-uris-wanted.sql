-- The same of tokens that the chain was asked for since a time, the latest asked for first.
WITH hydrated AS (
  SELECT mint, uri, checked_at
  FROM hydrated_tokens FINAL
  WHERE checked_at >= toDateTime({since:UInt32}, 'UTC') AND found AND named
  ORDER BY checked_at DESC
  LIMIT {window:UInt32}
)
SELECT mint, uri, tries
FROM hydrated
LEFT ANY JOIN (
  SELECT mint, state, retry_at, tries FROM token_metadata FINAL WHERE mint IN (SELECT mint FROM hydrated)
) AS known USING mint
WHERE known.state = '' OR (known.state = 'waiting' AND known.retry_at <= toDateTime({now:UInt32}, 'UTC'))
ORDER BY checked_at DESC
LIMIT {limit:UInt32}
