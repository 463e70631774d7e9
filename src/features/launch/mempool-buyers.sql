-- Wallets whose failed buys came in slots before their token's creation, since a time: newest first.
SELECT
  mint, wallet, symbol, creator, attempts, slots_before, slot, block_index, ix_index, time, last_time, signature,
  created_slot, create_signature, landed
FROM mempool_buyers FINAL
WHERE last_time >= toDateTime({since:UInt32}, 'UTC') AND created_slot <= {mark:UInt32}
ORDER BY last_time DESC, mint, wallet
LIMIT {limit:UInt32}
