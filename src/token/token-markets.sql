-- Markets of some mints, those that traded last first: the newest swap of each, and what it left there.
SELECT
  mint,
  pool,
  venue,
  quote_mint,
  tupleElement(last, 1) AS at,
  toUInt32(tupleElement(last, 2)) AS time,
  tupleElement(last, 3) AS price_quote,
  tupleElement(last, 4) AS price_token,
  tupleElement(last, 5) AS virtual_quote_reserves,
  tupleElement(last, 6) AS virtual_token_reserves,
  tupleElement(last, 7) AS real_quote_reserves,
  tupleElement(last, 8) AS real_token_reserves,
  tupleElement(last, 9) AS reserves_known,
  tupleElement(last, 10) AS fee_in_token,
  tupleElement(last, 11) AS quote_decimals,
  tupleElement(last, 12) AS token_decimals
FROM (
  SELECT mint, pool, quote_mint, venue, max(newest) AS last
  FROM market_latest
  WHERE mint IN (SELECT toFixedString(base58Decode(arrayJoin({mints:Array(String)})), 32))
  GROUP BY mint, pool, quote_mint, venue
)
ORDER BY mint, at DESC
LIMIT {limit:UInt32} BY mint
