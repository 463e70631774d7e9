-- Positions of a mint, no more than asked for, in the table's order. Newest position wins (FINAL).
SELECT
  quote_mint, trader, slot, token_balance, tokens_bought, tokens_sold, quote_invested, quote_received, basis,
  basis_tokens, realized_pnl, pnl_known, buys, sells, first_time, first_slot, last_time
FROM positions FINAL
WHERE mint = toFixedString(base58Decode({mint:String}), 32)
  AND ({every:Bool} OR trader IN (SELECT toFixedString(base58Decode(arrayJoin({wallets:Array(String)})), 32)))
LIMIT {most:UInt32}
