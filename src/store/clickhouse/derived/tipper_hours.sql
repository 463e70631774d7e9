-- What wallets tipped in an hour with transactions that traded on the launchpad or its AMM, whatever else they traded: by
-- who paid their fee. The tip stands on each swap and counts once a transaction.
SELECT hour, tipper, partial_slot, count() AS transactions, sum(paid) AS lamports
FROM (
  SELECT
    toStartOfHour(time) AS hour,
    fee_payer AS tipper,
    if(partial, slot, 0) AS partial_slot,
    toUInt128(any(tip)) AS paid
  FROM $rows AS source
  WHERE tip > 0 AND venue IN (0, 1)
  GROUP BY hour, tipper, partial_slot, slot, block_index
)
GROUP BY hour, tipper, partial_slot
