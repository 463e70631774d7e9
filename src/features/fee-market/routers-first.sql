-- The first minute of each rollup that is of whole blocks, Unix seconds; 0 without one.
SELECT
  toUInt32(ifNull((SELECT toUInt32(minute) FROM router_minutes WHERE minute > 0 AND partial_slot = 0 ORDER BY minute LIMIT 1), 0)) AS landed,
  toUInt32(ifNull((SELECT toUInt32(minute) FROM router_reverts WHERE minute > 0 AND partial_slot = 0 ORDER BY minute LIMIT 1), 0)) AS reverted
