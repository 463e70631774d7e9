-- Where rollups that are made of swaps begin: 0 for one without rows. Swaps of blocks without a time are of no time, and rows
-- of single transactions may be older than what is filled in behind them.
SELECT
  toUInt32(ifNull((SELECT toUInt32(minute) FROM venue_minutes WHERE minute > 0 AND partial_slot = 0 ORDER BY minute LIMIT 1), 0)) AS trades,
  toUInt32(ifNull((SELECT toUInt32(minute) FROM fee_minutes WHERE minute > 0 AND partial_slot = 0 ORDER BY minute LIMIT 1), 0)) AS fees,
  toUInt32(ifNull((SELECT toUInt32(hour) FROM trader_registers WHERE hour > 0 AND partial_slot = 0 ORDER BY hour LIMIT 1), 0)) AS traders,
  toUInt32(ifNull((SELECT toUInt32(hour) FROM mint_hours WHERE hour > 0 AND partial_slot = 0 ORDER BY hour LIMIT 1), 0)) AS volumes,
  toUInt32(ifNull((SELECT toUInt32(hour) FROM tipper_hours WHERE hour > 0 AND partial_slot = 0 ORDER BY hour LIMIT 1), 0)) AS tippers
