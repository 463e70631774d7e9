-- The newest swaps of some mints in some quotes that may be the last one to price each: its place and time, its price in
-- raw units and the decimals of the token. `at` has its slot above 32 bits. Swaps of other venues price none of them. The
-- newest priced one may be in another quote, the newest in each quote may be one that prices nothing: up to one row a mint
-- of each kind.
SELECT
  mint,
  tupleElement(last, 1) AS at,
  toUInt32(tupleElement(last, 2)) AS time,
  tupleElement(last, 3) AS price_quote,
  tupleElement(last, 4) AS price_token,
  tupleElement(last, 5) AS token_decimals
FROM (
  SELECT
    mint,
    (
      tupleElement(max(newest), 1), tupleElement(max(newest), 2), tupleElement(max(newest), 3),
      tupleElement(max(newest), 4), tupleElement(max(newest), 12)
    ) AS last
  FROM market_latest
  WHERE venue = 2
    AND mint IN (SELECT toFixedString(base58Decode(arrayJoin({mints:Array(String)})), 32))
    AND quote_mint IN (SELECT toFixedString(base58Decode(arrayJoin({quotes:Array(String)})), 32))
  GROUP BY mint
  UNION ALL
  SELECT
    mint,
    (
      tupleElement(max(last_priced), 1), tupleElement(max(last_priced), 2), tupleElement(max(last_priced), 3),
      tupleElement(max(last_priced), 4), tupleElement(max(last_priced), 7)
    ) AS last
  FROM token_latest
  WHERE mint IN (SELECT toFixedString(base58Decode(arrayJoin({mints:Array(String)})), 32))
  GROUP BY mint
  HAVING tupleElement(max(last_priced), 1) > 0
    AND tupleElement(max(last_priced), 5) IN (SELECT toFixedString(base58Decode(arrayJoin({quotes:Array(String)})), 32))
)
