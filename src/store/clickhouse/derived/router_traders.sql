-- Wallets that traded in an hour by program and venue, the protocol's own left out, as registers of a sketch: the same as
-- `trader_registers`, and as those they may come any number of times.
WITH
  cityHash64(trader) AS hash,
  bitOr(bitShiftRight(hash, 12), bitShiftLeft(toUInt64(1), 51)) AS rest
SELECT
  toStartOfHour(time) AS hour,
  router,
  venue,
  toUInt16(bitAnd(hash, 4095)) AS register,
  if(partial, slot, 0) AS partial_slot,
  max(toUInt8(bitCount(bitXor(rest, rest - 1)))) AS rank
FROM $rows AS source
WHERE NOT protocol_actor AND trader != toFixedString('', 32)
GROUP BY hour, router, venue, register, partial_slot
