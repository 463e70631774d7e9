-- What some wallets hold of some tokens by everything that moved them, where that is more than trades. Newest row wins
-- (FINAL).
SELECT
  mint, wallet, balance, balance_known AND whole AS known, realized_pnl, pnl_known, quotes, quote_mint,
  toUInt32(if(slot IN (SELECT slot FROM partial_slots), 0, slot)) AS newest
FROM holdings FINAL
WHERE (holdings.mint, holdings.wallet) IN (
  SELECT mint, trader
  FROM positions_by_trader
  WHERE trader IN arrayMap(each -> toFixedString(base58Decode(each), 32), {wallets:Array(String)})
    AND mint IN arrayMap(each -> toFixedString(base58Decode(each), 32), {mints:Array(String)})
)
