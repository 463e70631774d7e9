-- The newest swap of some mints in some quotes: its place and time, its price in raw units and the decimals of the token.
-- `at` has its slot above 32 bits.
SELECT
  mint,
  tupleElement(last, 1) AS at,
  toUInt32(tupleElement(last, 2)) AS time,
  tupleElement(last, 3) AS price_quote,
  tupleElement(last, 4) AS price_token,
  tupleElement(last, 12) AS token_decimals
FROM (
  SELECT mint, max(newest) AS last
  FROM market_latest
  WHERE mint IN (SELECT toFixedString(base58Decode(arrayJoin({mints:Array(String)})), 32))
    AND quote_mint IN (SELECT toFixedString(base58Decode(arrayJoin({quotes:Array(String)})), 32))
  GROUP BY mint
)
