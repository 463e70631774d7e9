-- Wallets that traded in an hour on the launchpad and its AMM, the protocol's own left out, as registers of a sketch. The
-- lowest 12 bits of a wallet's hash say which register, and the zeros that the rest ends with, and one, are its rank.
-- Nothing is summed, so the same rows may come any number of times.
WITH
  cityHash64(trader) AS hash,
  bitOr(bitShiftRight(hash, 12), bitShiftLeft(toUInt64(1), 51)) AS rest
SELECT
  toStartOfHour(time) AS hour,
  toUInt16(bitAnd(hash, 4095)) AS register,
  if(partial, slot, 0) AS partial_slot,
  max(toUInt8(bitCount(bitXor(rest, rest - 1)))) AS rank
FROM $rows AS source
WHERE venue IN (0, 1) AND NOT protocol_actor AND trader != toFixedString('', 32)
GROUP BY hour, register, partial_slot
