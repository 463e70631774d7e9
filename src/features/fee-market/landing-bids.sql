-- Exact bids of a span of seconds on the curve: of every transaction once that others than the protocol's actors made, landed
-- or reverted, and whose budget is known. The first row is of all of them; the others, by how many slots they are behind the
-- creation of the youngest of their tokens, tell the middle price and the middle tip of those that landed. Of a sorted list
-- of n the bid at the share p is the one whose number is p times n, rounded up.
SELECT
  toBool(grouping(behind) = 1) AS is_whole,
  toUInt8(behind) AS slots_behind,
  toUInt32(count()) AS bids,
  toUInt32(countIf(is_tip_known)) AS tips,
  toUInt32(countIf(landed)) AS paid_tips,
  arrayMap(bid -> toString(bid), quantilesExactWeighted(0.25, 0.5, 0.75, 0.9, 0.99)(price, 1)) AS price_at,
  arrayMap(bid -> toString(bid), quantilesExactWeighted(0.25, 0.5, 0.75, 0.9, 0.99)(fee, 1)) AS fee_at,
  arrayMap(bid -> toString(bid), quantilesExactWeightedIf(0.25, 0.5, 0.75, 0.9, 0.99)(tip, 1, is_tip_known)) AS tip_at,
  toString(quantileExactWeighted(0.5)(price, 1)) AS middle_price,
  toString(quantileExactWeightedIf(0.5)(tip, 1, landed)) AS paid_at
FROM (
  SELECT
    each.landed AS landed,
    max(each.is_tip_known) AS is_tip_known,
    max(each.cu_price) AS price, max(each.priority_fee) AS fee, max(each.tip_lamports) AS tip,
    min(if(born.created > 0 AND each.slot >= born.created AND each.slot - born.created < {behind:UInt32}, each.slot - born.created, 255)) AS behind
  FROM (
    SELECT
      slot, block_index, mint, cu_price, priority_fee, swaps.tip AS tip_lamports,
      true AS landed, true AS is_tip_known
    FROM swaps
    WHERE slot BETWEEN {first:UInt32} AND {last:UInt32}
      AND toUInt32(time) BETWEEN {since:UInt32} AND {until:UInt32}
      AND venue = 0 AND budget_source != 2 AND NOT partial AND NOT protocol_actor
    UNION ALL
    SELECT
      slot, block_index, mint, cu_price, priority_fee, tip_payable,
      false, signatures > 0
    FROM attempts
    WHERE slot BETWEEN {first:UInt32} AND {last:UInt32}
      AND toUInt32(time) BETWEEN {since:UInt32} AND {until:UInt32}
      AND venue = 0 AND budget_source != 2 AND NOT partial
      AND trader NOT IN (SELECT toFixedString(base58Decode(arrayJoin({actors:Array(String)})), 32))
  ) AS each
  ANY LEFT JOIN (
    SELECT mint, min(slot) AS created
    FROM tokens_by_creation
    WHERE slot BETWEEN {born:UInt32} AND {last:UInt32}
    GROUP BY mint
  ) AS born ON born.mint = each.mint
  GROUP BY each.slot, each.block_index, each.landed
)
GROUP BY GROUPING SETS ((), (behind))
HAVING is_whole OR slots_behind < 255
ORDER BY is_whole DESC, slots_behind
