-- The last prices of some tokens in a quote each before a moment, raw quote over raw token. Minutes that are over tell
-- them but for the swaps of the last one. `at` is the swap's place: its slot above 32 bits.
SELECT mint, quote_mint, tupleElement(max(last), 1) AS at, tupleElement(max(last), 2) AS price
FROM (
  SELECT mint, quote_mint, max(close) AS last
  FROM candles
  WHERE (mint, quote_mint) IN (
      SELECT toFixedString(base58Decode(pair.1), 32), toFixedString(base58Decode(pair.2), 32)
      FROM (SELECT arrayJoin(arrayZip({mints:Array(String)}, {quotes:Array(String)})) AS pair)
    )
    AND seconds = 60
    AND toUInt32(bucket) < {minute:UInt32}
  GROUP BY mint, quote_mint
  UNION ALL
  SELECT
    mint,
    quote_mint,
    max((bitShiftLeft(toUInt64(slot), 32) + bitShiftLeft(toUInt64(block_index), 14) + ix_index, price)) AS last
  FROM swaps
  WHERE (mint, quote_mint) IN (
      SELECT toFixedString(base58Decode(pair.1), 32), toFixedString(base58Decode(pair.2), 32)
      FROM (SELECT arrayJoin(arrayZip({mints:Array(String)}, {quotes:Array(String)})) AS pair)
    )
    AND slot > {after:UInt32}
    AND (slot <= {last:UInt32} OR slot IN (SELECT slot FROM partial_slots))
    AND toUInt32(time) >= {minute:UInt32}
    AND toUInt32(time) < {before:UInt32}
    AND priced
  GROUP BY mint, quote_mint
)
GROUP BY mint, quote_mint
