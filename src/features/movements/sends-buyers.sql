-- Of those who were sent a mint since a time, the buyers: the slots of the first and the newest trade of each, and how often
-- it bought and sold. Newest position wins (FINAL).
SELECT
  trader AS wallet,
  min(positions.first_slot) AS first_slot,
  max(positions.slot) AS newest,
  toUInt32(sum(positions.buys)) AS bought,
  toUInt32(sum(positions.sells)) AS sold
FROM positions FINAL
WHERE mint = toFixedString(base58Decode({mint:String}), 32)
  AND positions.buys > 0
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
