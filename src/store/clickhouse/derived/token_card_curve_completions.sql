-- The first time that each mint's curve was full.
SELECT
  mint,
  toFixedString('', 32) AS priced_in,
  if(partial, slot, 0) AS partial_slot,
  max((
    bitNot(bitShiftLeft(toUInt64(slot), 32) + bitShiftLeft(toUInt64(block_index), 14) + ix_index), time, bonding_curve
  )) AS completion
FROM $rows
GROUP BY mint, priced_in, partial_slot
