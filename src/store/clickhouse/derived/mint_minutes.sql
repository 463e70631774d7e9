-- Every swap counts, priced or not.
SELECT
  mint,
  toStartOfMinute(time) AS minute,
  quote_mint,
  if(partial, slot, 0) AS partial_slot,
  countIf(is_buy) AS buys,
  countIf(NOT is_buy) AS sells,
  sumIf(toUInt128(quote_amount), is_buy) AS buy_quote,
  sumIf(toUInt128(quote_amount), NOT is_buy) AS sell_quote
FROM $rows
GROUP BY mint, minute, quote_mint, partial_slot
