-- Swaps of the launchpad and its AMM from a second on, and what they paid in lamports: fees of swaps in SOL, and priority
-- fees of transactions, each once.
SELECT
  count() AS trades,
  countIf(is_buy) AS buys,
  countIf(NOT is_buy) AS sells,
  countIf(tip > 0) AS tip_swaps,
  uniqExactIf(trader, NOT protocol_actor AND trader != toFixedString('', 32)) AS active_traders,
  toInt128(sumIf(toUInt128(swaps.quote_amount), is_sol)) AS volume,
  toInt128(sumIf(toUInt128(swaps.fee), is_sol AND NOT fee_in_token)) AS fees,
  toInt128(sumIf(toUInt128(swaps.creator_fee), is_sol AND NOT fee_in_token)) AS creator_fees,
  toInt128(assumeNotNull((
    SELECT sum(toUInt128(paid))
    FROM (
      SELECT max(priority_fee) AS paid
      FROM swaps
      WHERE slot >= {hour_slot:UInt32}
        AND (slot <= {mark:UInt32} OR partial)
        AND toUInt32(time) >= {hour:UInt32}
        AND venue IN (0, 1) AND priority_fee > 0
      GROUP BY slot, block_index
    )
  ))) AS priority_fees
FROM (
  SELECT
    is_buy, tip, trader, protocol_actor, quote_amount, fee, creator_fee, fee_in_token,
    quote_mint = toFixedString('', 32) AS is_sol
  FROM swaps
  WHERE slot >= {hour_slot:UInt32}
    AND (slot <= {mark:UInt32} OR partial)
    AND toUInt32(time) >= {hour:UInt32}
    AND venue IN (0, 1)
) AS swaps
