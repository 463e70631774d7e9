-- The same out of positions, for mints whose swaps cannot all be read: a wallet holds from its first trade on,
-- and until its last one when nothing is left. One that came back in between is not seen to have been gone.
WITH toFixedString(base58Decode({mint:String}), 32) AS the_mint
SELECT start, toInt64(sum(tupleElement(step, 2))) AS change, toUInt32(max(last_slot)) AS newest
FROM (
  SELECT
    arrayJoin(arrayConcat([(entered, 1)], if(balance > 0, [], [(gone, -1)]))) AS step,
    toUInt32(greatest(
      tupleElement(step, 1) - tupleElement(step, 1) % {step:UInt32},
      {from:UInt32} - {step:UInt32}
    )) AS start,
    last_slot
  FROM (
    SELECT
      toUInt32(min(positions.first_time)) AS entered,
      toUInt32(max(positions.last_time)) AS gone,
      sum(toInt128(positions.token_balance)) AS balance,
      max(positions.slot) AS last_slot
    FROM positions FINAL
    WHERE mint = the_mint
    GROUP BY trader
    HAVING sum(positions.tokens_bought) > 0
  )
)
GROUP BY start
ORDER BY start
LIMIT {limit:UInt32}
