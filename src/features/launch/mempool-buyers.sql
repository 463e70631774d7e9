-- Wallets whose failed buys came in slots before their token's creation, since a time: newest first. Of those that bought
-- behind the mark nobody knew yet.
SELECT
  mint, wallet, symbol, creator, attempts, slots_before, slot, block_index, ix_index, time, last_time, signature,
  created_slot, create_signature, buyers.landed AND landed_slot <= {mark:UInt32} AS landed, landed_slot
FROM mempool_buyers AS buyers FINAL
WHERE last_time >= toDateTime({since:UInt32}, 'UTC') AND created_slot <= {mark:UInt32}
ORDER BY last_time DESC, mint, wallet
LIMIT {limit:UInt32}
