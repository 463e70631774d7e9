-- Nothing is summed, so the same rows may come any number of times.
WITH bitShiftLeft(toUInt64(slot), 32) + bitShiftLeft(toUInt64(block_index), 14) + ix_index AS at
SELECT
  mint,
  if(partial, slot, 0) AS partial_slot,
  min((at, time)) AS first_trade,
  max((at, time)) AS last_trade,
  maxIf((at, time, price_quote, price_token, quote_mint, quote_decimals, token_decimals), priced) AS last_priced
FROM $rows
GROUP BY mint, partial_slot
