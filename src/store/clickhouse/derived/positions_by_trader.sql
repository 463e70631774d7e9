SELECT trader, mint, quote_mint
FROM $rows
