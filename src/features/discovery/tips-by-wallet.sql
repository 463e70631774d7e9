-- Tips of a window by the wallet that got them: whole minutes out of the rollup, the edges out of slots.
SELECT tip_wallet, sum(window.count) AS count, sum(window.repeated) AS repeated, sum(window.lamports) AS lamports
FROM (
  SELECT tip_wallet, tip_minutes.count AS count, tip_minutes.repeated AS repeated, tip_minutes.lamports AS lamports
  FROM tip_minutes
  WHERE toUInt32(minute) >= {whole_from:UInt32} AND toUInt32(minute) < {running:UInt32}
  UNION ALL
  SELECT tip_wallet, toUInt64(slot_tips.count), toUInt64(slot_tips.repeated), slot_tips.lamports
  FROM slot_tips
  WHERE slot BETWEEN {from_slot:UInt32} AND {mark:UInt32}
    AND toUInt32(time) >= {from:UInt32} AND toUInt32(time) <= {now:UInt32}
    AND (toUInt32(time) < {whole_from:UInt32} OR toUInt32(time) >= {running:UInt32})
) AS window
GROUP BY tip_wallet
