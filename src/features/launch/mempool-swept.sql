-- Slots that are whole (kind 0), and those of them whose attempts were gone through (kind 1).
SELECT toUInt8(0) AS kind, first_slot, last_slot FROM coverage
UNION ALL
SELECT toUInt8(1) AS kind, first_slot, last_slot FROM swept_slots WHERE swept_table = 'mempool_buyers'
