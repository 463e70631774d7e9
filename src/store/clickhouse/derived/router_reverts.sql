-- Transactions that reverted, by the program that they went through: each once for a program, with the venues that it tried
-- there as bits. A transaction has a row for each of its tokens.
SELECT minute, router, venues, partial_slot, count() AS transactions
FROM (
  SELECT
    toStartOfMinute(time) AS minute,
    router,
    if(partial, slot, 0) AS partial_slot,
    groupBitOr(toUInt8(bitShiftLeft(toUInt8(1), venue))) AS venues
  FROM $rows AS source
  GROUP BY minute, router, partial_slot, slot, block_index
)
GROUP BY minute, router, venues, partial_slot
