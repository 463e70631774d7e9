-- Names that at least two tokens of a time were created with, the commonest first: how many tokens, the newest of them,
-- the one of most volume in SOL, and the highest of their newest prices in SOL (`price_token` 0 without one). A name is
-- what is left of it where it is shown. Volume of minutes that are over is in the rollup, that of the last ones in the
-- swaps, which know their slots. `newest` is the slot of the newest swap of any of the tokens.
WITH
  named AS (
    SELECT mint, slot, block_index, ix_index, time, symbol, replaceRegexpAll(name, {unprintable:String}, '') AS shown
    FROM tokens_by_creation
    WHERE slot >= {since_slot:UInt32}
      AND toUInt32(time) >= {since:UInt32}
      AND toUInt32(time) <= {now:UInt32}
      AND (slot <= {mark:UInt32} OR partial)
  ),
  common AS (
    SELECT shown
    FROM named
    WHERE shown != ''
    GROUP BY shown
    HAVING count() > 1
    ORDER BY count() DESC, max(time) DESC, shown
    LIMIT {limit:UInt32}
  ),
  listed AS (SELECT * FROM named WHERE shown IN (SELECT shown FROM common))
SELECT
  name, tokens, last_time, top_mint, top_symbol,
  tupleElement(dearest, 1) AS price_quote,
  tupleElement(dearest, 2) AS price_token,
  tupleElement(dearest, 3) AS token_decimals,
  newest
FROM (
  SELECT
    listed.shown AS name,
    toUInt32(count()) AS tokens,
    toUInt32(max(listed.time)) AS last_time,
    argMax(listed.mint, (volumes.lamports, listed.slot, listed.block_index, listed.ix_index)) AS top_mint,
    argMax(listed.symbol, (volumes.lamports, listed.slot, listed.block_index, listed.ix_index)) AS top_symbol,
    argMaxIf(
      (prices.price_quote, prices.price_token, prices.token_decimals),
      prices.price_quote / prices.price_token,
      prices.price_token > 0
    ) AS dearest,
    toUInt32(max(prices.newest)) AS newest
  FROM listed
  LEFT JOIN (
    SELECT mint, sum(lamports) AS lamports
    FROM (
      SELECT mint, toUInt128(buy_quote + sell_quote) AS lamports
      FROM mint_minutes
      WHERE mint IN (SELECT mint FROM listed)
        AND quote_mint = toFixedString('', 32)
        AND toUInt32(minute) < {running:UInt32}
      UNION ALL
      SELECT mint, toUInt128(quote_amount)
      FROM swaps
      WHERE mint IN (SELECT mint FROM listed)
        AND quote_mint = toFixedString('', 32)
        AND toUInt32(time) >= {running:UInt32}
        AND (slot BETWEEN {running_slot:UInt32} AND {mark:UInt32} OR partial)
    )
    GROUP BY mint
  ) AS volumes ON volumes.mint = listed.mint
  LEFT JOIN (
    SELECT
      mint,
      toUInt32(bitShiftRight(tupleElement(max(last_trade), 1), 32)) AS newest,
      max(last_priced) AS priced,
      tupleElement(priced, 'quote_mint') = toFixedString('', 32) AS in_sol,
      if(in_sol, tupleElement(priced, 'price_quote'), 0) AS price_quote,
      if(in_sol, tupleElement(priced, 'price_token'), 0) AS price_token,
      tupleElement(priced, 'token_decimals') AS token_decimals
    FROM token_latest
    WHERE mint IN (SELECT mint FROM listed)
    GROUP BY mint
  ) AS prices ON prices.mint = listed.mint
  GROUP BY name
)
ORDER BY tokens DESC, last_time DESC, name
