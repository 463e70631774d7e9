-- Mints whose rows the slots from {first} to {last} may change: born there, or sold there by who created them. Swaps lie by
-- token, in parts of some weeks: those of tokens that were not traded around these slots are left out by their place.
SELECT DISTINCT mint FROM (
  SELECT mint FROM tokens_by_creation WHERE slot BETWEEN {first:UInt32} AND {last:UInt32} AND NOT partial
  UNION ALL
  SELECT mint FROM swaps
  WHERE NOT is_buy AND NOT partial AND slot BETWEEN {first:UInt32} AND {last:UInt32} AND (mint, trader) IN (
    SELECT mint, creator FROM token_creations
    WHERE NOT partial AND mint IN (
      SELECT mint FROM swaps
      WHERE NOT is_buy AND NOT partial AND slot BETWEEN {first:UInt32} AND {last:UInt32} AND mint IN (
        SELECT mint FROM token_latest
        WHERE bitShiftRight(tupleElement(first_trade, 1), 32) <= {last:UInt32}
          AND bitShiftRight(tupleElement(last_trade, 1), 32) >= {first:UInt32}
      )
    )
  )
)
