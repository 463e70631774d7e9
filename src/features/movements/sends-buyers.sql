-- Of those who were sent a mint since a time, the buyers, and the slot of the first trade of each.
SELECT trader AS wallet, min(positions.first_slot) AS first_slot
FROM positions
WHERE mint = toFixedString(base58Decode({mint:String}), 32)
  AND buys > 0
  AND (positions.first_slot <= {mark:UInt32} OR positions.first_slot IN (SELECT slot FROM partial_slots))
  AND trader IN (
    SELECT receiver
    FROM transfers
    WHERE mint = toFixedString(base58Decode({mint:String}), 32)
      AND (slot <= {mark:UInt32} OR partial)
      AND toUInt32(time) >= {since:UInt32}
      AND NOT hidden
    ORDER BY mint DESC, slot DESC, block_index DESC, ix_index DESC
    LIMIT {limit:UInt32}
    UNION ALL
    SELECT receiver
    FROM transfers
    WHERE mint = toFixedString(base58Decode({mint:String}), 32)
      AND (slot <= {mark:UInt32} OR partial)
      AND toUInt32(time) >= {since:UInt32}
      AND hidden
    ORDER BY mint DESC, slot DESC, block_index DESC, ix_index DESC
    LIMIT {limit:UInt32}
  )
GROUP BY trader
LIMIT 2 * {limit:UInt32}
