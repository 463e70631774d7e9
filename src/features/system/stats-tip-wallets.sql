-- Tips since a minute by the wallet that got them.
SELECT tip_wallet, sum(tip_minutes.count) AS count, sum(tip_minutes.repeated) AS repeated, sum(tip_minutes.lamports) AS lamports
FROM tip_minutes
WHERE toUInt32(minute) >= {hour:UInt32}
GROUP BY tip_wallet
ORDER BY lamports DESC
