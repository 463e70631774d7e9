-- Mints that traded at or behind a slot although nobody saw them created, and quotes whose decimals no
-- swap told or that no list names, the latest traded first. Those that were asked for wait for their time.
WITH recent AS (
  SELECT mint, max(tupleElement(last_trade, 1)) AS at
  FROM token_latest
  GROUP BY mint
  HAVING at >= bitShiftLeft(toUInt64({after:UInt32}), 32)
)
SELECT mint
FROM (
  SELECT mint, at
  FROM recent
  WHERE mint NOT IN (SELECT mint FROM token_creations WHERE mint IN (SELECT mint FROM recent))
  UNION ALL
  SELECT tupleElement(last_priced, 5) AS mint, tupleElement(last_priced, 1) AS at
  FROM token_latest
  WHERE (
    tupleElement(last_priced, 6) = {unknown_decimals:UInt8}
    OR mint NOT IN (SELECT toFixedString(base58Decode(arrayJoin({listed:Array(String)})), 32))
  )
    AND at >= greatest(1, bitShiftLeft(toUInt64({after:UInt32}), 32))
    AND mint != toFixedString('', 32)
)
WHERE mint NOT IN (
  SELECT mint FROM hydrated_tokens FINAL WHERE retry_at = 0 OR retry_at > toDateTime({now:UInt32}, 'UTC')
)
GROUP BY mint
ORDER BY max(at) DESC
LIMIT {limit:UInt32}
