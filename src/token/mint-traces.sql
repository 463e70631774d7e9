-- What is left of mints, of those given, that were neither seen made nor swapped: attempts to trade them,
-- sends, and pools that tell their decimals (255 where nothing does).
SELECT mint, max(tried) AS attempted, max(moved) AS sent, min(told) AS decimals
FROM (
  SELECT mint, true AS tried, false AS moved, toUInt8(255) AS told
  FROM attempts
  WHERE mint IN (SELECT toFixedString(base58Decode(arrayJoin({mints:Array(String)})), 32))
    AND (slot <= {mark:UInt32} OR partial)
  LIMIT 1 BY mint
  UNION ALL
  SELECT mint, false AS tried, true AS moved, decimals AS told
  FROM transfers
  WHERE mint IN (SELECT toFixedString(base58Decode(arrayJoin({mints:Array(String)})), 32))
    AND (slot <= {mark:UInt32} OR partial)
  LIMIT 1 BY mint
  UNION ALL
  SELECT mint, false AS tried, false AS moved, token_decimals AS told
  FROM pools
  WHERE mint IN (SELECT toFixedString(base58Decode(arrayJoin({mints:Array(String)})), 32))
    AND (slot <= {mark:UInt32} OR partial)
  LIMIT 1 BY mint
)
GROUP BY mint
