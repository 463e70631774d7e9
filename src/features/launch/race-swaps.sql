-- Swaps of a mint in a range of slots, oldest first, in the table's own order: a range of its key.
SELECT
  mint, slot, block_index, ix_index, time, signature, partial, venue, pool, trader, is_buy, quote_mint,
  quote_decimals, token_decimals, quote_amount, token_amount, price_quote, price_token, price, fee,
  creator_fee, lp_fee, fee_in_token, fee_creator, virtual_quote_reserves, virtual_token_reserves, real_quote_reserves,
  real_token_reserves, reserves_known, priced, protocol_actor, bundled, fee_payer, router, tip, tip_wallet,
  cu_price, cu_limit, priority_fee, budget_source, network_fee
FROM swaps
WHERE mint = toFixedString(base58Decode({mint:String}), 32)
  AND slot BETWEEN {first:UInt32} AND {last:UInt32}
  AND (slot <= {mark:UInt32} OR partial)
ORDER BY mint, slot, block_index, ix_index
LIMIT {limit:UInt32}
