-- Registers of a sketch of the wallets that traded, by step: how many there are at each rank. Whole hours are out of the
-- rollup, the running one out of the swaps, by the same words (trader_registers.sql).
SELECT start, highest AS rank, toUInt32(count()) AS registers
FROM (
  SELECT
    toUInt32(intDiv(at, {step:UInt32}) * {step:UInt32}) AS start,
    register,
    max(ranked) AS highest
  FROM (
    SELECT toUInt32(hour) AS at, register, trader_registers.rank AS ranked
    FROM trader_registers
    WHERE toUInt32(hour) >= {from:UInt32} AND toUInt32(hour) < {to:UInt32} AND toUInt32(hour) < {running:UInt32}
    UNION ALL
    SELECT
      toUInt32(time),
      toUInt16(bitAnd(cityHash64(trader) AS hash, 4095)),
      toUInt8(bitCount(bitXor(bitOr(bitShiftRight(hash, 12), bitShiftLeft(toUInt64(1), 51)) AS rest, rest - 1)))
    FROM swaps
    WHERE venue IN (0, 1) AND NOT protocol_actor AND trader != toFixedString('', 32)
      AND slot >= {running_slot:UInt32}
      AND (slot <= {mark:UInt32} OR partial)
      AND toUInt32(time) >= {from:UInt32} AND toUInt32(time) < {to:UInt32} AND toUInt32(time) >= {running:UInt32}
  )
  GROUP BY start, register
)
GROUP BY start, rank
ORDER BY start, rank
