-- The first time that each mint moved to its pool.
SELECT
  mint,
  toFixedString('', 32) AS priced_in,
  if(partial, slot, 0) AS partial_slot,
  max((
    bitNot(bitShiftLeft(toUInt64(slot), 32) + bitShiftLeft(toUInt64(block_index), 14) + ix_index), time, pool
  )) AS graduation
FROM $rows
GROUP BY mint, priced_in, partial_slot
