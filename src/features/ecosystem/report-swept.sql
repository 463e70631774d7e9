-- Slots that sales of tokens by their creators were swept up of.
SELECT first_slot, last_slot
FROM swept_slots
WHERE swept_table = 'dev_sales' AND last_slot >= {window_slot:UInt32}
ORDER BY first_slot
LIMIT {most:UInt32}
