-- Blocks of a span of seconds by minute, up to a mark: which they are, and what they tell of transactions that failed.
SELECT
  toUInt32(intDiv(toUInt32(time), 60) * 60) AS start,
  toUInt32(min(slot)) AS first,
  toUInt32(max(slot)) AS last,
  toUInt32(count()) AS blocks,
  sum(toUInt64(slot)) AS slots,
  sum(toUInt64(blocks.transactions)) AS transactions,
  sum(toUInt64(blocks.failed)) AS failed
FROM blocks
WHERE slot BETWEEN {from_slot:UInt32} AND {mark:UInt32}
  AND toUInt32(time) BETWEEN {since:UInt32} AND {until:UInt32}
GROUP BY start
ORDER BY start
