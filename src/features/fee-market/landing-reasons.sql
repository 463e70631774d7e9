-- Transactions of a span of seconds that reverted, by others than the protocol's actors, in steps of `width` seconds by venue
-- and by why they did.
SELECT
  toUInt32(intDiv(toUInt32(time), {width:UInt32}) * {width:UInt32}) AS start,
  venue,
  toString(attempts.why) AS reason,
  toUInt32(uniqExact(bitOr(bitShiftLeft(toUInt64(slot), 32), block_index))) AS reverted
FROM attempts
WHERE slot BETWEEN {first:UInt32} AND {last:UInt32}
  AND toUInt32(time) BETWEEN {since:UInt32} AND {until:UInt32}
  AND NOT partial
  AND trader NOT IN (SELECT toFixedString(base58Decode(arrayJoin({actors:Array(String)})), 32))
GROUP BY start, venue, reason
