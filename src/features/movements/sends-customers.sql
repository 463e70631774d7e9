-- What those who handed a mint on inside trades since a time bought and sold of it together, raw units, and the slot of the
-- newest of these trades.
SELECT
  trader AS wallet,
  toInt128(sum(tokens_bought)) + toInt128(sum(tokens_sold)) AS traded,
  max(positions.slot) AS newest
FROM positions FINAL
WHERE mint = toFixedString(base58Decode({mint:String}), 32)
  AND trader IN (
    SELECT sender
    FROM transfers
    WHERE mint = toFixedString(base58Decode({mint:String}), 32)
      AND (slot <= {mark:UInt32} OR partial)
      AND toUInt32(time) >= {since:UInt32}
      AND hidden
    ORDER BY mint DESC, slot DESC, block_index DESC, ix_index DESC
    LIMIT {limit:UInt32}
  )
GROUP BY trader
LIMIT {limit:UInt32}
