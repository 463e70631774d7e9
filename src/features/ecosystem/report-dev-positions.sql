-- What some wallets bought and sold of some tokens by their trades, in all quotes of each. Newest position wins (FINAL).
-- They are found by their traders: a set that is made once, where lists of addresses are decoded for every 256 rows.
-- `newest` leaves out single transactions, which are there before their slot is answered for.
SELECT
  mint,
  trader AS wallet,
  toInt128(sum(toUInt128(positions.tokens_bought))) AS bought,
  toInt128(sum(toUInt128(positions.tokens_sold))) AS sold,
  toInt128(sum(toInt128(positions.token_balance))) AS balance,
  toUInt32(count()) AS quotes,
  any(positions.quote_mint) AS quote_mint,
  any(positions.realized_pnl) AS realized_pnl,
  min(positions.pnl_known) AS pnl_known,
  toUInt32(max(if(slot IN (SELECT slot FROM partial_slots), 0, slot))) AS newest
FROM positions FINAL
WHERE (positions.mint, positions.quote_mint, positions.trader) IN (
  SELECT mint, quote_mint, trader
  FROM positions_by_trader
  WHERE trader IN arrayMap(each -> toFixedString(base58Decode(each), 32), {wallets:Array(String)})
    AND mint IN arrayMap(each -> toFixedString(base58Decode(each), 32), {mints:Array(String)})
)
GROUP BY mint, trader
