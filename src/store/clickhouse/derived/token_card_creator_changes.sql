-- The newest change of who earns each mint's fees.
SELECT
  mint,
  toFixedString('', 32) AS priced_in,
  if(partial, slot, 0) AS partial_slot,
  max((
    bitShiftLeft(toUInt64(slot), 32) + bitShiftLeft(toUInt64(block_index), 14) + ix_index, time, creator
  )) AS creator_change
FROM $rows
GROUP BY mint, priced_in, partial_slot
