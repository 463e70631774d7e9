-- Blocks of some slots with what their transactions with a swap paid. What flushes brought and what was filled in stand in
-- rows of their own.
SELECT
  blocks.slot AS slot,
  blocks.swaps AS block_swaps,
  sums.swaps AS swaps,
  sums.unmeasured AS unmeasured,
  toInt128(sums.priority_fees) AS priority_fees,
  toInt128(sums.tips) AS tips,
  toInt128(sums.fees) AS fees,
  toInt128(sums.vol) AS vol
FROM blocks
LEFT JOIN (
  SELECT
    slot, sum(slot_economics.swaps) AS swaps, sum(slot_economics.unmeasured) AS unmeasured,
    sum(slot_economics.priority_fees) AS priority_fees, sum(slot_economics.tips) AS tips,
    sum(slot_economics.fees) AS fees, sum(slot_economics.vol) AS vol
  FROM slot_economics
  WHERE slot BETWEEN {from:UInt32} AND {to:UInt32} AND partial_slot = 0
  GROUP BY slot
) AS sums ON sums.slot = blocks.slot
WHERE blocks.slot BETWEEN {from:UInt32} AND {to:UInt32}
ORDER BY slot
