-- A row of positions as the table keeps it: see the ALIAS columns of its migration for the way back.
SELECT
  mint, quote_mint, trader,
  bitShiftLeft(toUInt64(slot), 32) + bitShiftLeft(toUInt64(block_index), 14) + ix_index AS version,
  token_balance, tokens_bought,
  tokens_sold - (tokens_bought - token_balance) AS tokens_sold_more,
  quote_invested, quote_received,
  basis - if(basis_tokens = tokens_bought, quote_invested, if(basis_tokens = 0, 0, intDivOrZero(toUInt128(quote_invested) * basis_tokens, tokens_bought))) AS basis_more,
  basis_tokens - greatest(token_balance, 0) AS basis_tokens_more,
  realized_pnl - (quote_received - quote_invested + basis) AS realized_pnl_more,
  pnl_known, buys, sells,
  slot - first_slot AS held_slots,
  toUInt32(last_time) - toUInt32(first_time) AS held_seconds,
  last_time
FROM $rows
