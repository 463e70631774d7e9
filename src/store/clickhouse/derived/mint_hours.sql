-- Swaps in SOL of an hour by token, and the highest price among those that price it; nothing of other quotes.
WITH bitShiftLeft(toUInt64(slot), 32) + bitShiftLeft(toUInt64(block_index), 14) + ix_index AS at
SELECT
  toStartOfHour(time) AS hour,
  mint,
  if(partial, slot, 0) AS partial_slot,
  count() AS swaps,
  sum(toUInt128(quote_amount)) AS volume,
  maxIf((price, bitNot(at), price_quote, price_token, token_decimals), priced) AS highest
FROM $rows AS source
WHERE quote_mint = toFixedString('', 32) AND venue IN (0, 1)
GROUP BY hour, mint, partial_slot
