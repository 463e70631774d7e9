-- Positions of the wallets with the largest balances of a mint, in all quotes of each, and in how
-- many quotes the mint was ever traded, and the newest slot of all its positions. Newest position wins (FINAL).
WITH toFixedString(base58Decode({mint:String}), 32) AS the_mint
SELECT
  mint, quote_mint, trader, slot, block_index, ix_index, token_balance, tokens_bought, tokens_sold,
  quote_invested, quote_received, basis, basis_tokens, realized_pnl, pnl_known, buys, sells, first_time,
  first_slot, last_time,
  assumeNotNull((SELECT toUInt8(least(uniqExact(quote_mint), 255)) FROM positions WHERE mint = the_mint)) AS mint_quotes,
  assumeNotNull((SELECT max(slot) FROM positions WHERE mint = the_mint)) AS mint_newest
FROM positions FINAL
WHERE mint = the_mint
  AND trader IN (
    SELECT trader
    FROM positions FINAL
    WHERE mint = the_mint
    GROUP BY trader
    ORDER BY sum(token_balance) DESC, base58Encode(trader)
    LIMIT {wallets:UInt32}
  )
