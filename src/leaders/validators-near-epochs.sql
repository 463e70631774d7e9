-- The same of validators that nobody saw in their epoch: as they were known in the last one before it, else in the first
-- one behind it. Given with the epoch that is asked for.
WITH asked AS (
  SELECT pair.1 AS identity, pair.2 AS epoch
  FROM (
    SELECT arrayJoin(arrayZip(
      arrayMap(each -> toFixedString(base58Decode(each), 32), {identities:Array(String)}), {epochs:Array(UInt32)}
    )) AS pair
  )
)
SELECT
  asked.identity AS identity, asked.epoch AS epoch, known.checked_at AS checked_at, known.vote AS vote,
  known.name AS name, known.version AS version, known.client AS client, known.stake AS stake,
  known.commission AS commission, known.delinquent AS delinquent, known.gossip_ip AS gossip_ip,
  known.shares_tips AS shares_tips
FROM asked
INNER JOIN (
  SELECT * FROM epoch_validators FINAL WHERE identity IN (SELECT identity FROM asked)
) AS known ON asked.identity = known.identity
ORDER BY known.epoch > asked.epoch, abs(toInt64(known.epoch) - toInt64(asked.epoch))
LIMIT 1 BY asked.identity, asked.epoch
