-- What swaps of a minute paid by venue, lamports: fees of swaps in SOL, how many swaps tipped, and priority fees of
-- transactions. A budget is told on each swap on a curve, and is none of the others: it counts once a transaction, at the
-- least venue of its swaps, so that the launchpad and its AMM together have that of each transaction with a swap there.
SELECT
  minute,
  tupleElement(leg, 'venue') AS venue,
  partial_slot,
  count() AS swaps,
  sum(toUInt128(tupleElement(leg, 'fee'))) AS fees,
  sum(toUInt128(tupleElement(leg, 'creator_fee'))) AS creator_fees,
  sum(toUInt128(if(place = 1, priority, 0))) AS priority_fees,
  countIf(tupleElement(leg, 'tipped')) AS tip_swaps
FROM (
  SELECT
    toStartOfMinute(time) AS minute,
    if(partial, slot, 0) AS partial_slot,
    arraySort(groupArray(CAST(
      (
        venue,
        if(quote_mint = toFixedString('', 32) AND NOT fee_in_token, source.fee, 0),
        if(quote_mint = toFixedString('', 32) AND NOT fee_in_token, source.creator_fee, 0),
        tip > 0
      ),
      'Tuple(venue UInt8, fee UInt64, creator_fee UInt64, tipped Bool)'
    ))) AS legs,
    max(source.priority_fee) AS priority
  FROM $rows AS source
  GROUP BY minute, partial_slot, slot, block_index
)
ARRAY JOIN legs AS leg, arrayEnumerate(legs) AS place
GROUP BY minute, venue, partial_slot
