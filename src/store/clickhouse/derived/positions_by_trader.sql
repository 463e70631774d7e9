SELECT trader, mint, quote_mint, first_slot
FROM $rows
