-- Transactions of a span of seconds that traded, or reverted, by others than the protocol's actors: each once at every
-- venue that it traded at. Counted in steps of `width` seconds by venue and, besides, by slot, by how many slots they
-- are behind the creation of the youngest of their tokens, and by their bids, which are told on the curve.
-- Of these three significant digits are left: below 1,000 they number themselves, and 900 of each further power of ten
-- follow. 65535 stands for none, and where bids are not asked for, 255 for no creation. `kind` says what a row counts by.
SELECT
  start,
  venue,
  toUInt8(multiIf(
    grouping(slot) = 0, 1,
    grouping(fee) = 0, 4,
    grouping(tip) = 0, 5,
    grouping(paid) = 0, 7,
    grouping(price) = 0, if(grouping(behind) = 0, 6, 3),
    grouping(behind) = 0, 2,
    0
  )) AS kind,
  toUInt32(slot) AS in_slot,
  toUInt8(behind) AS slots_behind,
  toUInt16(multiIf(kind = 4, fee, kind = 5, tip, kind = 7, paid, price)) AS bid,
  toUInt32(count()) AS attempts,
  toUInt32(countIf(landed)) AS landings,
  toUInt32(countIf(is_unknown)) AS unknown
FROM (
  SELECT
    toUInt32(intDiv(at, {width:UInt32}) * {width:UInt32}) AS start,
    slot,
    venue,
    landed,
    behind,
    venue = 0 AND source = 2 AS is_unknown,
    arrayMap(
      bid -> if(
        bid < 1000,
        toUInt16(bid),
        toUInt16(1000 + (length(toString(bid)) - 4) * 900
          + intDiv(bid, toUInt64(intExp10(length(toString(bid)) - 3))) - 100)
      ),
      [cu_price, priority_fee, tip_lamports]
    ) AS bids,
    {bids:Bool} AND venue = 0 AND source != 2 AS is_bid,
    if(is_bid, bids[1], 65535) AS price,
    if(is_bid, bids[2], 65535) AS fee,
    if(is_bid AND is_tip_known, bids[3], 65535) AS tip,
    if(is_bid AND landed, bids[3], 65535) AS paid
  FROM (
    SELECT
      max(each.at) AS at, each.slot AS slot, each.venue AS venue, each.landed AS landed,
      min(if(born.created > 0 AND each.slot >= born.created AND each.slot - born.created < {behind:UInt32}, each.slot - born.created, 255)) AS behind,
      max(each.source) AS source, max(each.cu_price) AS cu_price, max(each.priority_fee) AS priority_fee,
      max(each.tip) AS tip_lamports, max(each.is_tip_known) AS is_tip_known
    FROM (
      SELECT
        toUInt32(time) AS at, slot, block_index, venue, mint, budget_source AS source, cu_price, priority_fee,
        swaps.tip AS tip, true AS landed, true AS is_tip_known
      FROM swaps
      WHERE slot BETWEEN {first:UInt32} AND {last:UInt32}
        AND toUInt32(time) BETWEEN {since:UInt32} AND {until:UInt32}
        AND NOT partial AND NOT protocol_actor
      UNION ALL
      SELECT
        toUInt32(time), slot, block_index, venue, mint, budget_source, cu_price, priority_fee,
        tip_payable, false, signatures > 0
      FROM attempts
      WHERE slot BETWEEN {first:UInt32} AND {last:UInt32}
        AND toUInt32(time) BETWEEN {since:UInt32} AND {until:UInt32}
        AND NOT partial
        AND trader NOT IN (SELECT toFixedString(base58Decode(arrayJoin({actors:Array(String)})), 32))
    ) AS each
    ANY LEFT JOIN (
      SELECT mint, min(slot) AS created
      FROM tokens_by_creation
      WHERE slot BETWEEN {born:UInt32} AND {last:UInt32}
      GROUP BY mint
    ) AS born ON born.mint = each.mint
    GROUP BY slot, each.block_index, venue, landed
  )
)
GROUP BY GROUPING SETS (
  (start, venue),
  (start, venue, slot),
  (start, venue, behind),
  (start, venue, price),
  (start, venue, fee),
  (start, venue, tip),
  (start, venue, behind, price),
  (start, venue, behind, paid)
)
HAVING (grouping(behind) = 1 OR slots_behind < 255)
  AND (grouping(price) = 1 OR price < 65535)
  AND (grouping(fee) = 1 OR fee < 65535)
  AND (grouping(tip) = 1 OR tip < 65535)
  AND (grouping(paid) = 1 OR paid < 65535)
