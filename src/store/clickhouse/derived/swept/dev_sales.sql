-- Swaps on the launchpad and its AMM in which who created a token sold it. Only whole blocks count: rows of single
-- transactions are taken out again when their block comes.
SELECT
  sold.slot AS slot,
  sold.block_index AS block_index,
  sold.ix_index AS ix_index,
  sold.time AS time,
  sold.mint AS mint,
  born.creator AS creator,
  sold.quote_mint AS quote_mint,
  sold.quote_amount AS quote_amount,
  sold.token_amount AS token_amount
FROM (
  SELECT slot, block_index, ix_index, time, mint, trader, quote_mint, quote_amount, token_amount
  FROM swaps
  WHERE NOT is_buy AND NOT partial AND venue IN (0, 1) AND $swept AND $wanted
) AS sold
INNER JOIN (
  SELECT mint, creator
  FROM token_creations
  WHERE NOT partial AND $swept AND $wanted
  ORDER BY mint, slot, block_index, ix_index
  LIMIT 1 BY mint
) AS born ON born.mint = sold.mint AND born.creator = sold.trader
