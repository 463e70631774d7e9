-- A row of attempts as the table keeps it: see the ALIAS columns of its migration for the way back.
SELECT
  mint, slot, block_index, ix_index, time, signature, partial, venue, trader, side, outcome, why, error_code,
  program, router,
  if(fee_payer = trader, toFixedString('', 32), fee_payer) AS other_fee_payer,
  tip, tip_wallet, cu_price, cu_limit,
  priority_fee - intDiv(cu_price * cu_limit, 1000000) AS priority_fee_more,
  budget_source,
  network_fee - priority_fee AS network_fee_more,
  tip_payable, signatures
FROM $rows
