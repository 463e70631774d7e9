-- Tips of a window by the wallet that got them: whole minutes out of the rollup, the edges out of slots. `parts` has a bit
-- for each part of the window in which there were some, by the minute's beginning.
SELECT
  tip_wallet,
  sum(window.count) AS count,
  sum(window.repeated) AS repeated,
  toInt128(sum(window.lamports)) AS lamports,
  groupBitOr(toUInt8(bitShiftLeft(
    1,
    intDiv((greatest(window.start, {window:UInt32}) - {window:UInt32}) * {parts:UInt32}, {span:UInt32})
  ))) AS parts
FROM (
  SELECT
    tip_wallet, toUInt32(minute) AS start, tip_minutes.count AS count, tip_minutes.repeated AS repeated,
    tip_minutes.lamports AS lamports
  FROM tip_minutes
  WHERE toUInt32(minute) >= {whole_from:UInt32} AND toUInt32(minute) < {running:UInt32}
  UNION ALL
  SELECT
    tip_wallet, toUInt32(time) - toUInt32(time) % 60, toUInt64(slot_tips.count), toUInt64(slot_tips.repeated),
    slot_tips.lamports
  FROM slot_tips
  WHERE slot BETWEEN {window_slot:UInt32} AND {mark:UInt32}
    AND toUInt32(time) >= {window:UInt32}
    AND (toUInt32(time) < {whole_from:UInt32} OR toUInt32(time) >= {running:UInt32})
) AS window
GROUP BY tip_wallet
