-- What those who handed a mint on inside trades since a time bought and sold of it in the whole blocks behind a slot, slot
-- by slot, raw units.
SELECT trader AS wallet, slot, toInt128(sum(token_amount)) AS traded
FROM swaps
WHERE mint = toFixedString(base58Decode({mint:String}), 32)
  AND slot > {mark:UInt32}
  AND slot <= {newest:UInt32}
  AND NOT partial
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
GROUP BY trader, slot
LIMIT {rows:UInt32}
