-- Nothing is summed, so the same rows may come any number of times.
WITH bitShiftLeft(toUInt64(slot), 32) + bitShiftLeft(toUInt64(block_index), 14) + ix_index AS at
SELECT
  mint,
  if(priced, quote_mint, toFixedString('', 32)) AS priced_in,
  if(partial, slot, 0) AS partial_slot,
  max((
    at, time, venue, pool, quote_mint, quote_decimals, token_decimals, price_quote, price_token,
    real_quote_reserves, real_token_reserves, reserves_known
  )) AS newest,
  maxIf((
    at, time, venue, pool, quote_mint, quote_decimals, token_decimals, price_quote, price_token,
    real_quote_reserves, real_token_reserves, reserves_known
  ), priced) AS newest_priced,
  maxIf((price, bitNot(at), time, price_quote, price_token, quote_decimals, token_decimals), priced) AS highest
FROM $rows
GROUP BY mint, priced_in, partial_slot
