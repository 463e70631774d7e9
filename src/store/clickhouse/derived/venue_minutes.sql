-- All swaps of a minute by venue and quote, and the slot of the newest of them.
SELECT
  toStartOfMinute(time) AS minute,
  venue,
  quote_mint,
  if(partial, slot, 0) AS partial_slot,
  countIf(is_buy) AS buys,
  countIf(NOT is_buy) AS sells,
  sum(toUInt128(quote_amount)) AS quote_amount,
  max(slot) AS newest
FROM $rows AS source
GROUP BY minute, venue, quote_mint, partial_slot
