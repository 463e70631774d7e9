SELECT trader, slot, block_index, ix_index, time, partial, mint, venue, is_buy, quote_mint, quote_amount, token_amount, protocol_actor
FROM $rows
