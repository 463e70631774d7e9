-- Candles of a minute and longer; shorter ones are read from the swaps.
SELECT
  mint,
  quote_mint,
  seconds,
  toDateTime(intDiv(toUInt32(time), seconds) * seconds, 'UTC') AS bucket,
  if(partial, slot, 0) AS partial_slot,
  min((bitShiftLeft(toUInt64(slot), 32) + bitShiftLeft(toUInt64(block_index), 14) + ix_index, price)) AS open,
  max(price) AS high,
  min(price) AS low,
  max((bitShiftLeft(toUInt64(slot), 32) + bitShiftLeft(toUInt64(block_index), 14) + ix_index, price)) AS close,
  sum(toUInt128(quote_amount)) AS volume,
  count() AS trades
FROM $rows
ARRAY JOIN [60, 300, 900, 3600, 14400, 86400]::Array(UInt32) AS seconds
WHERE priced
GROUP BY mint, quote_mint, seconds, bucket, partial_slot
