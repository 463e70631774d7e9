-- Transactions that stand beside others on the same token in the slot of its creation, of tokens from a time on: by who
-- traded, with what was bought.
SELECT
  traded.mint AS mint,
  born.creator AS creator,
  traded.block_index AS block_index,
  traded.trader AS trader,
  traded.protocol_actor AS protocol_actor,
  traded.is_buy AS is_buy,
  toInt128(sum(toUInt128(traded.token_amount))) AS tokens,
  toInt128(sumIf(toUInt128(traded.quote_amount), traded.is_sol)) AS lamports
FROM (
  SELECT
    mint, block_index, trader, protocol_actor, is_buy, token_amount, quote_amount,
    quote_mint = toFixedString('', 32) AS is_sol
  FROM swaps
  WHERE slot BETWEEN {launches_slot:UInt32} AND {mark:UInt32}
    AND bundled = 1
    AND venue IN (0, 1)
    AND (mint, slot) IN (
      SELECT mint, slot
      FROM tokens_by_creation
      WHERE slot BETWEEN {launches_slot:UInt32} AND {mark:UInt32}
        AND toUInt32(time) >= {launches:UInt32}
        AND NOT partial
    )
) AS traded
INNER JOIN (
  SELECT mint, creator
  FROM tokens_by_creation
  WHERE slot BETWEEN {launches_slot:UInt32} AND {mark:UInt32}
    AND toUInt32(time) >= {launches:UInt32}
    AND NOT partial
) AS born ON born.mint = traded.mint
GROUP BY mint, creator, block_index, trader, protocol_actor, is_buy
ORDER BY mint, block_index
