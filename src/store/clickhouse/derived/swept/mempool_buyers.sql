-- Failed buys in slots before their mint's creation, one row per mint and wallet. Only whole blocks
-- count: elsewhere, what else there was is not known.
SELECT
  tried.mint AS mint,
  tried.wallet AS wallet,
  born.symbol AS symbol,
  born.creator AS creator,
  toUInt32(count()) AS attempts,
  born.slot - min(tried.slot) AS slots_before,
  min(tried.slot) AS slot,
  argMin(tried.block_index, tried.place) AS block_index,
  argMin(tried.ix_index, tried.place) AS ix_index,
  argMin(tried.time, tried.place) AS time,
  argMax(tried.time, tried.place) AS last_time,
  argMin(tried.signature, tried.place) AS signature,
  born.slot AS created_slot,
  born.signature AS create_signature,
  any(bought.first_buy) > 0 AS landed,
  any(bought.first_buy) AS landed_slot
FROM (
  SELECT
    mint, trader AS wallet, slot, block_index, ix_index, time, signature, (slot, block_index, ix_index) AS place
  FROM attempts
  WHERE side = 1 AND NOT partial AND $swept AND $wanted
) AS tried
INNER JOIN (
  SELECT mint, slot, symbol, creator, signature
  FROM token_creations
  WHERE NOT partial AND $swept AND $wanted
  ORDER BY mint, slot, block_index, ix_index
  LIMIT 1 BY mint
) AS born ON born.mint = tried.mint
LEFT JOIN (
  SELECT mint, trader, min(slot) AS first_buy
  FROM swaps
  WHERE is_buy AND NOT partial AND $swept AND $wanted
    -- All buyers of a mint are many, those who came too soon are few.
    AND (mint, trader) IN (
      SELECT tried.mint, tried.trader
      FROM (
        SELECT mint, trader, slot FROM attempts WHERE side = 1 AND NOT partial AND $swept AND $wanted
      ) AS tried
      INNER JOIN (
        SELECT mint, min(slot) AS born_slot FROM token_creations WHERE NOT partial AND $swept AND $wanted GROUP BY mint
      ) AS born ON born.mint = tried.mint
      WHERE tried.slot < born.born_slot
    )
  GROUP BY mint, trader
) AS bought ON bought.mint = tried.mint AND bought.trader = tried.wallet
WHERE tried.slot < born.slot
GROUP BY tried.mint, tried.wallet, born.symbol, born.creator, born.slot, born.signature
