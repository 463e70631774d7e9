-- Where so many tokens end, the newest first: those that never traded by creation, those that did by their newest trade.
-- 0 where there are fewer.
SELECT
  (
    SELECT max(slot) FROM (
      SELECT slot
      FROM tokens_by_creation
      WHERE mint NOT IN (SELECT mint FROM token_latest)
      ORDER BY slot DESC
      LIMIT 1 OFFSET {untraded:UInt32}
    )
  ) AS untraded_slot,
  (
    SELECT max(at) FROM (
      SELECT toUInt32(bitShiftRight(max(tupleElement(last_trade, 1)), 32)) AS at
      FROM token_latest
      GROUP BY mint
      ORDER BY at DESC
      LIMIT 1 OFFSET {traded:UInt32}
    )
  ) AS traded_slot
