-- Where rollups that are made of swaps begin: 0 for one without rows.
SELECT
  toUInt32(ifNull((SELECT toUInt32(minute) FROM venue_minutes ORDER BY minute LIMIT 1), 0)) AS trades,
  toUInt32(ifNull((SELECT toUInt32(minute) FROM fee_minutes ORDER BY minute LIMIT 1), 0)) AS fees,
  toUInt32(ifNull((SELECT toUInt32(hour) FROM trader_registers ORDER BY hour LIMIT 1), 0)) AS traders,
  toUInt32(ifNull((SELECT toUInt32(hour) FROM mint_hours ORDER BY hour LIMIT 1), 0)) AS volumes,
  toUInt32(ifNull((SELECT toUInt32(hour) FROM tipper_hours ORDER BY hour LIMIT 1), 0)) AS tippers
