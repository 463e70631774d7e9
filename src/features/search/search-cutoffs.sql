-- Where so many tokens end, the newest first: those that never traded by creation, those that did by their newest trade.
-- 0 where there are fewer. Grouped, because groups go to disk where a set of all mints would not fit into memory.
SELECT
  (
    SELECT max(born) FROM (
      SELECT minIf(slot, NOT traded) AS born
      FROM (
        SELECT mint, slot, false AS traded FROM token_creations
        UNION ALL
        SELECT mint, toUInt32(0) AS slot, true AS traded FROM token_latest
      )
      GROUP BY mint
      HAVING NOT max(traded)
      ORDER BY born DESC
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
