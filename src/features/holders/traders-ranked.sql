-- Positions of the wallets that come first among all that traded a mint, each with its wallet's place (from 1)
-- and the newest slot of all positions of the mint.
-- By `realized`, profits that are known come before those that are not, and those in the quote `own` before
-- those in another, because amounts of two quotes do not compare. Newest position wins (FINAL).
WITH
  toFixedString(base58Decode({mint:String}), 32) AS the_mint,
  toFixedString(base58Decode({own:String}), 32) AS own,
  {sort:String} = 'realized' AS by_profit,
  (
    SELECT groupArray(trader)
    FROM (
      SELECT
        trader,
        count() = 1 AND min(positions.pnl_known) AS known,
        if(known, base58Encode(any(positions.quote_mint)), '') AS profit_quote,
        toInt128(sum(positions.realized_pnl)) AS profit,
        toInt128(sumIf(positions.quote_invested, positions.quote_mint = own)) AS bought,
        bought + toInt128(sumIf(positions.quote_received, positions.quote_mint = own)) AS volume,
        toInt128(sum(positions.buys + positions.sells)) AS trades
      FROM positions FINAL
      WHERE mint = the_mint
      GROUP BY trader
      ORDER BY
        by_profit AND NOT known,
        by_profit AND known AND profit_quote != base58Encode(own),
        if(by_profit, profit_quote, ''),
        multiIf(by_profit AND known, profit, {sort:String} = 'volume', volume, {sort:String} = 'bought', bought, trades) DESC,
        base58Encode(trader)
      LIMIT {wallets:UInt32}
    )
  ) AS wallets
SELECT
  mint, quote_mint, trader, slot, block_index, ix_index, token_balance, tokens_bought, tokens_sold,
  quote_invested, quote_received, basis, basis_tokens, realized_pnl, pnl_known, buys, sells, first_time,
  first_slot, last_time, toUInt32(indexOf(wallets, trader)) AS place,
  assumeNotNull((SELECT max(slot) FROM positions WHERE mint = the_mint)) AS mint_newest
FROM positions FINAL
WHERE mint = the_mint AND trader IN (SELECT arrayJoin(wallets))
ORDER BY place
