-- What wallets tipped in an hour with transactions that traded on the launchpad or its AMM: each transaction once, by its
-- first swap, and by who paid its fee.
SELECT
  toStartOfHour(time) AS hour,
  fee_payer AS tipper,
  if(partial, slot, 0) AS partial_slot,
  count() AS transactions,
  sum(toUInt128(source.tip)) AS lamports
FROM $rows AS source
WHERE tip > 0 AND network_fee > 0 AND venue IN (0, 1)
GROUP BY hour, tipper, partial_slot
