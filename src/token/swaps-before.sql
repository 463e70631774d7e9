-- Swaps of a mint before a place, newest first. A place is a second and, when `inside` is set, what a
-- cursor keeps of a position in it: slots of one second are near each other, so that the last
-- five digits tell their order. Read in the table's own order, until the page is full.
SELECT
  mint, slot, block_index, ix_index, time, signature, partial, venue, pool, trader, is_buy, quote_mint,
  quote_decimals, token_decimals, quote_amount, token_amount, price_quote, price_token, price, fee,
  creator_fee, lp_fee, fee_in_token, fee_creator, virtual_quote_reserves, virtual_token_reserves, real_quote_reserves,
  real_token_reserves, reserves_known, priced, protocol_actor, bundled, fee_payer, router, tip, tip_wallet,
  cu_price, cu_limit, priority_fee, budget_source, network_fee
FROM swaps
WHERE mint = toFixedString(base58Decode({mint:String}), 32)
  AND (slot <= {mark:UInt32} OR partial)
  AND (
    toInt64(toUInt32(time)) < {time:Int64}
    OR ({inside:Bool} AND toInt64(toUInt32(time)) = {time:Int64} AND (
      (toInt32(slot % 100000) - {slot_modulo:Int32} + 150000) % 100000 - 50000,
      toInt32(block_index),
      toInt32(ix_index)
    ) < (0, {block_index:Int32}, {ix_index:Int32}))
  )
ORDER BY mint DESC, slot DESC, block_index DESC, ix_index DESC
LIMIT {limit:UInt32}
