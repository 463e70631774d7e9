-- Positions of the wallets that come first among all that traded a mint, each with its wallet's place (from 1)
-- and the newest slot of all positions and holdings of the mint.
-- By `realized`, profits that are known come before those that are not, and those in the quote `own` before
-- those in another, because amounts of two quotes do not compare. A wallet that moved tokens outside of trades has
-- a holding, whose profit, in the order of everything, goes before that of its position. Newest row wins (FINAL).
WITH
  toFixedString(base58Decode({mint:String}), 32) AS the_mint,
  toFixedString(base58Decode({own:String}), 32) AS own,
  {sort:String} = 'realized' AS by_profit,
  (
    SELECT groupArray(wallet)
    FROM (
      SELECT
        wallet,
        countIf(NOT is_held) AS quotes,
        max(is_held) AS has_holding,
        quotes = 1 AND if(has_holding, minIf(is_known, is_held), min(is_known)) AS known,
        if(known, base58Encode(anyIf(quote, NOT is_held)), '') AS profit_quote,
        if(has_holding, sumIf(result, is_held), sum(result)) AS profit,
        sumIf(paid, quote = own) AS bought,
        bought + sumIf(got, quote = own) AS volume,
        sum(traded) AS trades
      FROM (
        SELECT
          trader AS wallet, false AS is_held, positions.pnl_known AS is_known, toInt128(positions.realized_pnl) AS result,
          positions.quote_mint AS quote, toInt128(positions.quote_invested) AS paid,
          toInt128(positions.quote_received) AS got, toInt128(positions.buys + positions.sells) AS traded
        FROM positions FINAL
        WHERE mint = the_mint
        UNION ALL
        SELECT wallet, true, holdings.pnl_known AND holdings.estimate_known, toInt128(holdings.realized_pnl), own, 0, 0, 0
        FROM holdings FINAL
        WHERE mint = the_mint
      )
      GROUP BY wallet
      HAVING quotes > 0
      ORDER BY
        by_profit AND NOT known,
        by_profit AND known AND profit_quote != base58Encode(own),
        if(by_profit, profit_quote, ''),
        multiIf(by_profit AND known, profit, {sort:String} = 'volume', volume, {sort:String} = 'bought', bought, trades) DESC,
        base58Encode(wallet)
      LIMIT {wallets:UInt32}
    )
  ) AS wallets
SELECT
  mint, quote_mint, trader, slot, block_index, ix_index, token_balance, tokens_bought, tokens_sold,
  quote_invested, quote_received, basis, basis_tokens, realized_pnl, pnl_known, buys, sells, first_time,
  first_slot, last_time, toUInt32(indexOf(wallets, trader)) AS place,
  greatest(
    assumeNotNull((SELECT max(slot) FROM positions WHERE mint = the_mint)),
    assumeNotNull((SELECT max(slot) FROM holdings WHERE mint = the_mint))
  ) AS mint_newest
FROM positions FINAL
WHERE mint = the_mint AND trader IN (SELECT arrayJoin(wallets))
ORDER BY place
