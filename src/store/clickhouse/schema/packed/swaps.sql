-- A row of swaps as the table keeps it: see the ALIAS columns of its migration for the way back.
SELECT
  mint, slot, block_index, ix_index, time, signature, partial, venue, pool, trader, is_buy, quote_mint,
  quote_decimals, token_decimals, quote_amount, token_amount,
  quote_amount - price_quote AS price_quote_less,
  token_amount - price_token AS price_token_less,
  fee, creator_fee, lp_fee, fee_in_token, fee_creator, virtual_quote_reserves, virtual_token_reserves,
  virtual_quote_reserves - real_quote_reserves AS real_quote_less,
  virtual_token_reserves - real_token_reserves AS real_token_less,
  reserves_known, priced, protocol_actor, bundled,
  if(fee_payer = trader, toFixedString('', 32), fee_payer) AS other_fee_payer,
  router, tip, tip_wallet, cu_price, cu_limit,
  priority_fee - intDiv(cu_price * cu_limit, 1000000) AS priority_fee_more,
  budget_source,
  network_fee - priority_fee AS network_fee_more,
  signatures
FROM $rows
