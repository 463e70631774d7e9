-- Transactions of a window that reverted, of some routers: whole minutes out of the rollup, what follows out of attempts. Each
-- counts once for a router.
SELECT program AS router, sum(reverted) AS transactions
FROM (
  SELECT router AS program, transactions AS reverted
  FROM router_reverts
  WHERE toUInt32(minute) >= {from:UInt32} AND toUInt32(minute) < {minute:UInt32}
    AND bitAnd(venues, {venues:UInt8}) != 0
    AND router IN (SELECT toFixedString(base58Decode(arrayJoin({routers:Array(String)})), 32))
  UNION ALL
  SELECT router, uniqExact(slot, block_index)
  FROM attempts
  WHERE slot >= {minute_slot:UInt32}
    AND (slot <= {mark:UInt32} OR partial)
    AND toUInt32(time) >= {minute:UInt32} AND toUInt32(time) <= {now:UInt32}
    AND bitAnd(bitShiftLeft(toUInt8(1), venue), {venues:UInt8}) != 0
    AND router IN (SELECT toFixedString(base58Decode(arrayJoin({routers:Array(String)})), 32))
  GROUP BY router
)
GROUP BY router
