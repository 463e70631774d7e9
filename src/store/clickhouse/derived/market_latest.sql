-- Nothing is summed, so the same rows may come any number of times.
WITH bitShiftLeft(toUInt64(slot), 32) + bitShiftLeft(toUInt64(block_index), 14) + ix_index AS at
SELECT
  mint,
  pool,
  quote_mint,
  venue,
  if(partial, slot, 0) AS partial_slot,
  max((
    at, time, price_quote, price_token, virtual_quote_reserves, virtual_token_reserves, real_quote_reserves,
    real_token_reserves, reserves_known, fee_in_token, quote_decimals, token_decimals
  )) AS newest,
  maxIf((price, bitNot(at), time, price_quote, price_token, quote_decimals, token_decimals), priced) AS highest
FROM $rows
GROUP BY mint, pool, quote_mint, venue, partial_slot
