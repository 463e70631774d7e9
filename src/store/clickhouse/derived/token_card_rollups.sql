-- What the rollups know of swaps of whole blocks that the facts do not have any more: the newest of each market, and its
-- highest price. What is still among the facts is told by them. A market whose highest price is known is one that
-- prices the token.
WITH
  markets AS (
    SELECT mint, pool, quote_mint, venue, max(newest) AS last, max(highest) AS top, tupleElement(top, 2) > 0 AS may_price
    FROM market_latest
    WHERE partial_slot = 0 AND $mints
    GROUP BY mint, pool, quote_mint, venue
  ),
  told AS (
    SELECT
      mint, pool, quote_mint, venue, may_price, true AS is_newest, tupleElement(last, 1) AS at,
      tupleElement(last, 2) AS time, toFloat64(0) AS price, tupleElement(last, 3) AS price_quote,
      tupleElement(last, 4) AS price_token, tupleElement(last, 7) AS real_quote_reserves,
      tupleElement(last, 8) AS real_token_reserves, tupleElement(last, 9) AS reserves_known,
      tupleElement(last, 11) AS quote_decimals, tupleElement(last, 12) AS token_decimals
    FROM markets
    UNION ALL
    SELECT
      mint, pool, quote_mint, venue, may_price, false AS is_newest, bitNot(tupleElement(top, 2)) AS at,
      tupleElement(top, 3) AS time, tupleElement(top, 1) AS price, tupleElement(top, 4) AS price_quote,
      tupleElement(top, 5) AS price_token, toUInt64(0) AS real_quote_reserves, toUInt64(0) AS real_token_reserves,
      false AS reserves_known, tupleElement(top, 6) AS quote_decimals, tupleElement(top, 7) AS token_decimals
    FROM markets
    WHERE may_price
  ),
  placed AS (
    SELECT
      *,
      toUInt32(bitShiftRight(at, 32)) AS slot,
      toUInt32(bitAnd(bitShiftRight(at, 14), 262143)) AS block_index,
      toUInt16(bitAnd(at, 16383)) AS ix_index
    FROM told
  )
SELECT
  mint,
  if(is_priced, quote_mint, toFixedString('', 32)) AS priced_in,
  toUInt32(0) AS partial_slot,
  maxIf((
    at, time, venue, pool, quote_mint, quote_decimals, token_decimals, price_quote, price_token,
    real_quote_reserves, real_token_reserves, reserves_known
  ), is_newest) AS newest,
  maxIf((
    at, time, venue, pool, quote_mint, quote_decimals, token_decimals, price_quote, price_token,
    real_quote_reserves, real_token_reserves, reserves_known
  ), is_newest AND is_priced) AS newest_priced,
  maxIf((price, bitNot(at), time, price_quote, price_token, quote_decimals, token_decimals), NOT is_newest) AS highest
FROM (
  SELECT *, may_price AND (NOT is_newest OR at <= priced_at) AS is_priced
  FROM placed
  LEFT JOIN (
    SELECT mint, tupleElement(max(last_priced), 1) AS priced_at
    FROM token_latest
    WHERE partial_slot = 0 AND $mints
    GROUP BY mint
  ) AS latest USING (mint)
)
WHERE $slots AND (mint, slot, block_index, ix_index) NOT IN (
  SELECT mint, slot, block_index, ix_index
  FROM swaps
  WHERE $mints AND NOT partial AND (mint, slot, block_index, ix_index) IN (
    SELECT mint, slot, block_index, ix_index FROM placed
  )
)
GROUP BY mint, priced_in, partial_slot
