-- Swaps of a window that begins with a minute by router: whole minutes out of the rollup, the running one out of the swaps,
-- by the same words (router_minutes.sql). Columns and `rest` as those of routers-recent.sql; medians are of numbers of
-- amounts to three digits.
SELECT
  if(rest, toFixedString('', 32), program) AS router,
  toUInt8(least(place_by_legs, place_by_lamports, place_by_dollars) > {most:UInt32}) AS rest,
  sum(legs) AS swaps,
  toInt128(sum(lamports)) AS sol,
  toInt128(sum(dollars)) AS usd,
  sum(landed) AS transactions,
  sum(arraySum(tupleElement(tips, 2))) AS tipping,
  any(toUInt64(tupleElement(tips, 1)[arrayFirstIndex(upTo -> upTo >= intDiv(tip_ranks[-1] + 1, 2), tip_ranks)])) AS tip_low,
  any(toUInt64(tupleElement(tips, 1)[arrayFirstIndex(upTo -> upTo >= intDiv(tip_ranks[-1], 2) + 1, tip_ranks)])) AS tip_high,
  sum(arraySum(tupleElement(bids, 2))) AS bidding,
  any(toUInt64(tupleElement(bids, 1)[arrayFirstIndex(upTo -> upTo >= intDiv(bid_ranks[-1] + 1, 2), bid_ranks)])) AS bid_low,
  any(toUInt64(tupleElement(bids, 1)[arrayFirstIndex(upTo -> upTo >= intDiv(bid_ranks[-1], 2) + 1, bid_ranks)])) AS bid_high
FROM (
  SELECT
    *,
    row_number() OVER (ORDER BY program != toFixedString('', 32), legs DESC, program) AS place_by_legs,
    row_number() OVER (ORDER BY lamports DESC, legs DESC, program) AS place_by_lamports,
    row_number() OVER (ORDER BY dollars DESC, legs DESC, program) AS place_by_dollars
  FROM (
    SELECT
      program,
      sum(leg_count) AS legs,
      sum(leg_lamports) AS lamports,
      sum(leg_dollars) AS dollars,
      sum(whole) AS landed,
      sumMap(tip_codes, tip_numbers) AS tips,
      sumMap(bid_codes, bid_numbers) AS bids,
      arrayCumSum(tupleElement(tips, 2)) AS tip_ranks,
      arrayCumSum(tupleElement(bids, 2)) AS bid_ranks
    FROM (
      SELECT
        router AS program,
        toUInt8(bitAnd(bitShiftLeft(toUInt8(1), venue), {venues:UInt8}) != 0) AS is_leg,
        if(is_leg, swaps, 0) AS leg_count,
        if(is_leg AND quote_mint = toFixedString('', 32), quote_amount, 0) AS leg_lamports,
        if(is_leg, quote_amount, 0) * transform(
          quote_mint,
          arrayMap(quote -> toFixedString(base58Decode(quote), 32), {quotes:Array(String)}),
          {scales:Array(UInt32)},
          toUInt32(0)
        ) AS leg_dollars,
        if(bitAnd(router_minutes.venues, 3) != 0, transactions, 0) AS whole,
        tupleElement(router_minutes.tips, 1) AS tip_codes,
        tupleElement(router_minutes.tips, 2) AS tip_numbers,
        tupleElement(router_minutes.bids, 1) AS bid_codes,
        tupleElement(router_minutes.bids, 2) AS bid_numbers
      FROM router_minutes
      WHERE toUInt32(minute) >= {from:UInt32} AND toUInt32(minute) < {minute:UInt32}
        AND bitAnd(router_minutes.venues, {venues:UInt8}) != 0
      UNION ALL
      SELECT
        router,
        toUInt8(1),
        count(),
        sum(toUInt128(if(quote_mint = toFixedString('', 32), quote_amount, 0))),
        sum(toUInt128(quote_amount) * transform(
          quote_mint,
          arrayMap(quote -> toFixedString(base58Decode(quote), 32), {quotes:Array(String)}),
          {scales:Array(UInt32)},
          toUInt32(0)
        )),
        toUInt64(max(venue < 2)),
        if(max(tip) AS tipped > 0, [toUInt16(
          (greatest(length(toString(tipped)), 3) - 3 AS tip_digits) * 900 + intDiv(tipped, intExp10(tip_digits))
        )], []),
        if(tipped > 0, [toUInt64(1)], []),
        if(max(venue = 0 AND budget_source != 2) AS is_bid, [toUInt16(
          (greatest(length(toString(max(if(venue = 0 AND budget_source != 2, cu_price, 0)) AS bid)), 3) - 3 AS bid_digits) * 900
            + intDiv(bid, intExp10(bid_digits))
        )], []),
        if(is_bid, [toUInt64(1)], [])
      FROM swaps
      WHERE slot >= {minute_slot:UInt32}
        AND (slot <= {mark:UInt32} OR partial)
        AND toUInt32(time) >= {minute:UInt32} AND toUInt32(time) <= {now:UInt32}
        AND bitAnd(bitShiftLeft(toUInt8(1), venue), {venues:UInt8}) != 0
      GROUP BY router, slot, block_index
    )
    GROUP BY program
  )
)
GROUP BY router, rest
