-- Who created the most tokens of a window, and how many of these have migrated since.
SELECT
  creator,
  toUInt32(count()) AS tokens,
  toUInt32(countIf(mint IN (
    SELECT mint FROM token_graduations WHERE slot >= {window_slot:UInt32} AND (slot <= {mark:UInt32} OR partial)
  ))) AS graduated
FROM tokens_by_creation
WHERE slot >= {window_slot:UInt32}
  AND (slot <= {mark:UInt32} OR partial)
  AND toUInt32(time) >= {window:UInt32}
  AND creator != toFixedString('', 32)
GROUP BY creator
ORDER BY tokens DESC, graduated DESC, creator
LIMIT {limit:UInt32}
