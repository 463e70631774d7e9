-- The newest slot whose attempts were gone through.
SELECT toUInt32(max(last_slot)) AS slot FROM swept_slots WHERE swept_table = 'mempool_buyers'
