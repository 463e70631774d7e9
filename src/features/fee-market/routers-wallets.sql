-- Distinct wallets that traded in some seconds, of some routers.
SELECT router AS program, uniqExact(trader) AS traders
FROM swaps
WHERE slot >= {from_slot:UInt32}
  AND (slot <= {mark:UInt32} OR partial)
  AND toUInt32(time) >= {from:UInt32} AND toUInt32(time) <= {now:UInt32}
  AND NOT protocol_actor AND trader != toFixedString('', 32)
  AND bitAnd(bitShiftLeft(toUInt8(1), venue), {venues:UInt8}) != 0
  AND router IN (SELECT toFixedString(base58Decode(arrayJoin({routers:Array(String)})), 32))
GROUP BY program
