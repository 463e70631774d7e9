-- Tokens by what was traded of them in SOL, each with the highest price of a swap (`price_token` 0 without one): whole hours
-- out of the rollup, what follows out of the swaps.
SELECT
  mint,
  toInt128(sum(window.volume)) AS volume,
  tupleElement(max(window.highest), 3) AS price_quote,
  tupleElement(max(window.highest), 4) AS price_token
FROM (
  SELECT mint, mint_hours.volume AS volume, mint_hours.highest AS highest
  FROM mint_hours
  WHERE toUInt32(mint_hours.hour) >= {from:UInt32} AND toUInt32(mint_hours.hour) < {until:UInt32}
  UNION ALL
  SELECT
    mint,
    toUInt128(quote_amount),
    if(
      priced,
      (
        price,
        bitNot(bitShiftLeft(toUInt64(slot), 32) + bitShiftLeft(toUInt64(block_index), 14) + ix_index),
        price_quote, price_token, token_decimals
      ),
      (toFloat64(0), toUInt64(0), toUInt64(0), toUInt64(0), toUInt8(0))
    )
  FROM swaps
  WHERE slot >= {until_slot:UInt32}
    AND (slot <= {mark:UInt32} OR partial)
    AND toUInt32(time) >= {until:UInt32}
    AND quote_mint = toFixedString('', 32) AND venue IN (0, 1)
) AS window
GROUP BY mint
HAVING volume >= {least:UInt64}
ORDER BY volume DESC, mint
LIMIT {limit:UInt32}
