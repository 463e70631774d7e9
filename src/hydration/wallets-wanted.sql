-- Wallets that launched or traded at or behind a slot and whose making is not known, those that
-- launched first. Those that were asked for wait for their time.
WITH met AS (
  SELECT creator AS wallet, true AS launched, max(slot) AS at
  FROM tokens_by_creation
  WHERE slot >= {after:UInt32}
  GROUP BY creator
  UNION ALL
  SELECT trader AS wallet, false AS launched, max(slot) AS at
  FROM swaps
  WHERE slot >= {after:UInt32} AND NOT protocol_actor
  GROUP BY trader
)
SELECT wallet
FROM met
WHERE wallet NOT IN (SELECT wallet FROM fundings WHERE created_account AND wallet IN (SELECT wallet FROM met))
  AND wallet NOT IN (
    SELECT wallet FROM funding_lookups FINAL WHERE retry_at = 0 OR retry_at > toDateTime({now:UInt32}, 'UTC')
  )
GROUP BY wallet
ORDER BY max(launched) DESC, max(at) DESC
LIMIT {limit:UInt32}
