-- Pools that traded at or behind a slot although nobody saw them made. Those that were asked for wait
-- for their time.
WITH recent AS (
  SELECT pool, any(mint) AS its_mint FROM swaps WHERE venue = 1 AND slot >= {after:UInt32} GROUP BY pool
)
SELECT pool
FROM recent
WHERE pool NOT IN (SELECT pool FROM pools WHERE mint IN (SELECT its_mint FROM recent))
  AND pool NOT IN (
    SELECT pool FROM hydrated_pools FINAL WHERE retry_at = 0 OR retry_at > toDateTime({now:UInt32}, 'UTC')
  )
LIMIT {limit:UInt32}
