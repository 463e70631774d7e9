-- Swaps of some seconds by router, out of the swaps themselves. A transaction counts once for each router that it went
-- through. All but the routers with most swaps, most lamports or most dollars are one row, which `rest` marks: sums alone
-- are told of it. By swaps alone, programs of a few swaps of dust each would hide those of few large ones.
SELECT
  if(rest, toFixedString('', 32), program) AS router,
  toUInt8(least(place_by_legs, place_by_lamports, place_by_dollars) > {most:UInt32}) AS rest,
  sum(legs) AS swaps,
  toInt128(sum(lamports)) AS sol,
  toInt128(sum(dollars)) AS usd,
  sum(landed) AS transactions,
  sum(tips) AS tipping,
  any(low_tip) AS tip_low,
  any(high_tip) AS tip_high,
  sum(bids) AS bidding,
  any(low_bid) AS bid_low,
  any(high_bid) AS bid_high
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
      countIf(is_tried) AS landed,
      countIf(tipped > 0) AS tips,
      quantileExactLowIf(0.5)(tipped, tipped > 0) AS low_tip,
      quantileExactHighIf(0.5)(tipped, tipped > 0) AS high_tip,
      countIf(is_bid) AS bids,
      quantileExactLowIf(0.5)(bid, is_bid) AS low_bid,
      quantileExactHighIf(0.5)(bid, is_bid) AS high_bid
    FROM (
      SELECT
        router AS program,
        count() AS leg_count,
        sum(toUInt128(if(quote_mint = toFixedString('', 32), quote_amount, 0))) AS leg_lamports,
        sum(toUInt128(quote_amount) * transform(
          quote_mint,
          arrayMap(quote -> toFixedString(base58Decode(quote), 32), {quotes:Array(String)}),
          {scales:Array(UInt32)},
          toUInt32(0)
        )) AS leg_dollars,
        max(tip) AS tipped,
        max(venue < 2) AS is_tried,
        max(venue = 0 AND budget_source != 2) AS is_bid,
        max(if(venue = 0 AND budget_source != 2, cu_price, 0)) AS bid
      FROM swaps
      WHERE slot >= {from_slot:UInt32}
        AND (slot <= {mark:UInt32} OR partial)
        AND toUInt32(time) >= {from:UInt32} AND toUInt32(time) <= {now:UInt32}
        AND bitAnd(bitShiftLeft(toUInt8(1), venue), {venues:UInt8}) != 0
      GROUP BY program, slot, block_index
    )
    GROUP BY program
  )
)
GROUP BY router, rest
