-- Numbers of rows in the store, and of those that came lately.
SELECT
  toUInt64(ifNull((SELECT count() FROM token_creations), 0)) AS tokens,
  toUInt64(ifNull((SELECT count() FROM token_graduations), 0)) AS graduated,
  toUInt64(ifNull((SELECT countIf(quote_mint != toFixedString('', 32)) FROM token_creations), 0)) AS other_quotes,
  toUInt64(ifNull((SELECT count() FROM swaps), 0)) AS swaps,
  toUInt64(ifNull((SELECT sum(count) FROM tip_minutes), 0)) AS tips,
  toUInt64(ifNull((SELECT sum(swaps) FROM blocks WHERE slot <= {mark:UInt32} AND toUInt32(time) >= {minute:UInt32}), 0)) AS swaps_minute,
  toUInt64(ifNull((SELECT sum(swaps) FROM blocks WHERE slot <= {mark:UInt32} AND toUInt32(time) >= {five_minutes:UInt32}), 0)) AS swaps_five_minutes,
  toUInt64(ifNull((SELECT sum(swaps) FROM blocks WHERE slot <= {mark:UInt32} AND toUInt32(time) >= {hour:UInt32}), 0)) AS swaps_hour,
  toUInt64(ifNull((SELECT count() FROM tokens_by_creation WHERE (slot <= {mark:UInt32} OR partial) AND toUInt32(time) >= {hour:UInt32}), 0)) AS tokens_hour,
  toUInt64(ifNull((SELECT sum(count) FROM tip_minutes WHERE toUInt32(minute) >= {hour:UInt32}), 0)) AS tips_hour,
  toUInt64(ifNull((SELECT toUInt64(toUInt32(time)) FROM blocks WHERE slot <= {mark:UInt32} ORDER BY slot DESC LIMIT 1), 0)) AS newest_time
