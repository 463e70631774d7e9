-- The highest price of some mints in each quote that priced them, the earliest of equal ones.
SELECT
  mint,
  quote_mint,
  tupleElement(top, 1) AS price,
  bitNot(tupleElement(top, 2)) AS at,
  toUInt32(tupleElement(top, 3)) AS time,
  tupleElement(top, 4) AS price_quote,
  tupleElement(top, 5) AS price_token,
  tupleElement(top, 6) AS quote_decimals,
  tupleElement(top, 7) AS token_decimals
FROM (
  SELECT mint, quote_mint, max(highest) AS top
  FROM market_latest
  WHERE mint IN (SELECT toFixedString(base58Decode(arrayJoin({mints:Array(String)})), 32))
  GROUP BY mint, quote_mint
  HAVING tupleElement(top, 1) > 0
)
ORDER BY mint, quote_mint
LIMIT {limit:UInt32} BY mint
