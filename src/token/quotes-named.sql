-- Symbols of mints that tokens are priced in, of those that were read from the chain, the newest first.
SELECT mint, symbol
FROM hydrated_tokens FINAL
WHERE found AND named AND symbol != ''
  AND mint IN (SELECT DISTINCT tupleElement(last_priced, 5) FROM token_latest)
ORDER BY checked_at DESC
LIMIT 10000
