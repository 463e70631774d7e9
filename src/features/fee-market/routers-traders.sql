-- Registers of sketches of the wallets that traded, of some routers: how many there are at each rank. Whole hours are out of
-- the rollup, the running one out of the swaps, by the same words (router_traders.sql).
SELECT program AS router, highest AS rank, toUInt32(count()) AS registers
FROM (
  SELECT program, number, max(ranked) AS highest
  FROM (
    SELECT router AS program, register AS number, router_traders.rank AS ranked
    FROM router_traders
    WHERE toUInt32(hour) >= {from:UInt32} AND toUInt32(hour) < {hour:UInt32}
      AND bitAnd(bitShiftLeft(toUInt8(1), venue), {venues:UInt8}) != 0
      AND router IN (SELECT toFixedString(base58Decode(arrayJoin({routers:Array(String)})), 32))
    UNION ALL
    SELECT
      router,
      toUInt16(bitAnd(cityHash64(trader) AS hash, 4095)),
      toUInt8(bitCount(bitXor(bitOr(bitShiftRight(hash, 12), bitShiftLeft(toUInt64(1), 51)) AS rest, rest - 1)))
    FROM swaps
    WHERE slot >= {hour_slot:UInt32}
      AND (slot <= {mark:UInt32} OR partial)
      AND toUInt32(time) >= {hour:UInt32} AND toUInt32(time) <= {now:UInt32}
      AND NOT protocol_actor AND trader != toFixedString('', 32)
      AND bitAnd(bitShiftLeft(toUInt8(1), venue), {venues:UInt8}) != 0
      AND router IN (SELECT toFixedString(base58Decode(arrayJoin({routers:Array(String)})), 32))
  )
  GROUP BY program, number
)
GROUP BY router, rank
