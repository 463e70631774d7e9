-- Tokens past a place in the order of their newest swap, newest first. The rollup has one row per
-- token that ever traded, which is little enough to be sorted whole.
SELECT at, mint
FROM (
  SELECT mint, tupleElement(max(last_trade), 1) AS at
  FROM token_latest
  GROUP BY mint
)
WHERE ({unbounded:Bool} OR at < {at:UInt64} OR (at = {at:UInt64} AND base58Encode(mint) > {mint:String}))
  AND ({any_status:Bool} OR (mint IN (SELECT mint FROM token_graduations WHERE NOT {any_status:Bool})) = {graduated:Bool})
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
