-- What went through which program in a minute. A swap counts at its venue and in its quote; a transaction once for each
-- program that it went through, at the first of its swaps there, with the venues of all of them as bits. What it tipped, and
-- what it bid for a compute unit where a swap on a curve says so, is counted by three digits (kernel/three-digits.ts).
SELECT
  minute,
  router,
  venues,
  tupleElement(leg, 'venue') AS venue,
  tupleElement(leg, 'quote_mint') AS quote_mint,
  partial_slot,
  count() AS swaps,
  sum(toUInt128(tupleElement(leg, 'amount'))) AS quote_amount,
  countIf(place = 1) AS transactions,
  sumMap(if(place = 1 AND tipped > 0, [tip_code], []), if(place = 1 AND tipped > 0, [toUInt64(1)], [])) AS tips,
  sumMap(if(place = 1 AND is_bid, [bid_code], []), if(place = 1 AND is_bid, [toUInt64(1)], [])) AS bids
FROM (
  SELECT
    toStartOfMinute(time) AS minute,
    router,
    if(partial, slot, 0) AS partial_slot,
    groupBitOr(toUInt8(bitShiftLeft(toUInt8(1), venue))) AS venues,
    arraySort(groupArray(CAST(
      (venue, quote_mint, quote_amount), 'Tuple(venue UInt8, quote_mint FixedString(32), amount UInt64)'
    ))) AS legs,
    max(source.tip) AS tipped,
    max(venue = 0 AND budget_source != 2) AS is_bid,
    max(if(venue = 0 AND budget_source != 2, cu_price, 0)) AS bid,
    toUInt8(greatest(length(toString(tipped)), 3) - 3) AS tip_digits,
    toUInt16(tip_digits * 900 + intDiv(tipped, intExp10(tip_digits))) AS tip_code,
    toUInt8(greatest(length(toString(bid)), 3) - 3) AS bid_digits,
    toUInt16(bid_digits * 900 + intDiv(bid, intExp10(bid_digits))) AS bid_code
  FROM $rows AS source
  GROUP BY minute, router, partial_slot, slot, block_index
)
ARRAY JOIN legs AS leg, arrayEnumerate(legs) AS place
GROUP BY minute, router, venues, venue, quote_mint, partial_slot
