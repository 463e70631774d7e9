-- Tokens past a place in the order of their newest swap, newest first. The rollup has one row per
-- token that ever traded, which is little enough to be sorted whole. A token whose creation and
-- migration nobody saw has the status of where its newest swap that prices it was made.
SELECT at, mint
FROM (
  SELECT mint, max(last_trade.at) AS at
  FROM token_latest
  GROUP BY mint
  SETTINGS optimize_aggregation_in_order = 1
)
WHERE ({unbounded:Bool} OR at < {at:UInt64} OR (at = {at:UInt64} AND base58Encode(mint) > {mint:String}))
  AND ({any_status:Bool} OR mint IN (
    SELECT mint
    FROM token_graduations
    WHERE NOT {any_status:Bool} AND {graduated:Bool}
    UNION ALL
    SELECT mint
    FROM tokens_by_creation
    WHERE NOT {any_status:Bool} AND NOT {graduated:Bool} AND mint NOT IN (SELECT mint FROM token_graduations)
    UNION ALL
    SELECT mint
    FROM swaps
    WHERE NOT {any_status:Bool}
      AND priced
      AND mint IN (
        SELECT mint
        FROM token_latest
        WHERE NOT {any_status:Bool}
          AND mint NOT IN (SELECT mint FROM tokens_by_creation)
          AND mint NOT IN (SELECT mint FROM token_graduations)
      )
    GROUP BY mint
    HAVING argMax(venue, (slot, block_index, ix_index)) = toUInt8({graduated:Bool})
  ))
  AND ({any_birth:Bool} OR mint IN (
    SELECT mint
    FROM tokens_by_creation
    WHERE NOT {any_birth:Bool}
      AND toUInt32(time) >= {from:UInt32}
      AND toUInt32(time) < {to:UInt32}
      AND ({creator:String} = '' OR creator = toFixedString(base58Decode({creator:String}), 32))
  ))
ORDER BY at DESC, base58Encode(mint)
LIMIT {limit:UInt32}
