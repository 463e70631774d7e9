-- Sums of blocks per minute.
SELECT
  toStartOfMinute(time) AS minute,
  count() AS blocks,
  sum(toUInt64(source.transactions)) AS transactions,
  sum(toUInt64(source.failed)) AS failed,
  sum(toUInt64(source.votes)) AS votes,
  sum(toUInt64(source.swaps)) AS swaps,
  sum(toUInt64(source.attempts)) AS attempts,
  sum(source.fees) AS fees,
  sum(source.priority_fees) AS priority_fees,
  sum(source.tips) AS tips
FROM $rows AS source
GROUP BY minute
