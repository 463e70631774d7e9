SELECT
  toStartOfMinute(time) AS minute,
  tip_wallet,
  sum(toUInt64(source.count)) AS count,
  sum(toUInt64(source.repeated)) AS repeated,
  sum(source.lamports) AS lamports
FROM $rows AS source
GROUP BY minute, tip_wallet
