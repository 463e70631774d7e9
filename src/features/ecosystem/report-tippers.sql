-- Who tipped most with transactions that traded on the launchpad or its AMM: whole hours out of the rollup, what follows
-- out of the swaps, where the tip stands on each swap of a transaction.
SELECT tipper AS wallet, toUInt64(sum(window.transactions)) AS count, toInt128(sum(window.lamports)) AS lamports
FROM (
  SELECT tipper, tipper_hours.transactions AS transactions, tipper_hours.lamports AS lamports
  FROM tipper_hours
  WHERE toUInt32(tipper_hours.hour) >= {from:UInt32} AND toUInt32(tipper_hours.hour) < {until:UInt32}
  UNION ALL
  SELECT fee_payer, toUInt64(1), toUInt128(any(tip))
  FROM swaps
  WHERE slot >= {until_slot:UInt32}
    AND (slot <= {mark:UInt32} OR partial)
    AND toUInt32(time) >= {until:UInt32}
    AND tip > 0 AND venue IN (0, 1)
  GROUP BY fee_payer, slot, block_index
) AS window
GROUP BY tipper
ORDER BY lamports DESC, count DESC, wallet
LIMIT {limit:UInt32}
