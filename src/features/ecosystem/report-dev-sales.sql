-- Tokens whose creator sold for the most SOL in a window: what was swept up, and out of the swaps what was not. A row may
-- be swept up while this is read, so that each counts once.
SELECT mint, creator, toInt128(sum(toUInt128(quote_amount))) AS lamports
FROM (
  SELECT slot, block_index, ix_index, mint, creator, quote_amount
  FROM dev_sales
  WHERE slot BETWEEN {window_slot:UInt32} AND {mark:UInt32}
    AND toUInt32(time) >= {window:UInt32}
    AND quote_mint = toFixedString('', 32)
  UNION DISTINCT
  SELECT slot, block_index, ix_index, mint, trader, quote_amount
  FROM swaps
  WHERE slot BETWEEN {unswept_slot:UInt32} AND {mark:UInt32}
    AND arrayExists((first, last) -> slot BETWEEN first AND last, {firsts:Array(UInt32)}, {lasts:Array(UInt32)})
    AND toUInt32(time) >= {window:UInt32}
    AND NOT is_buy AND NOT partial AND venue IN (0, 1)
    AND quote_mint = toFixedString('', 32)
    AND (mint, trader) IN (
      SELECT mint, creator
      FROM token_creations
      WHERE NOT partial AND slot <= {mark:UInt32} AND mint IN (
        SELECT mint
        FROM swaps
        WHERE slot BETWEEN {unswept_slot:UInt32} AND {mark:UInt32} AND NOT is_buy AND NOT partial
      )
    )
)
GROUP BY mint, creator
HAVING lamports >= {least:UInt64}
ORDER BY lamports DESC, mint
LIMIT {limit:UInt32}
