-- The same by wallet, those that tried the most tokens first.
SELECT
  wallet,
  toUInt32(count()) AS tokens,
  toUInt32(sum(attempts)) AS attempts,
  max(slots_before) AS max_slots_before,
  toUInt32(countIf(landed)) AS landed_tokens,
  max(last_time) AS last_time
FROM (
  SELECT wallet, attempts, slots_before, buyers.landed AND landed_slot <= {mark:UInt32} AS landed, last_time
  FROM mempool_buyers AS buyers FINAL
  WHERE last_time >= toDateTime({since:UInt32}, 'UTC') AND created_slot <= {mark:UInt32}
)
GROUP BY wallet
ORDER BY tokens DESC, attempts DESC, wallet
LIMIT {limit:UInt32}
