-- Positions of the traders with the largest known balances of a mint, in all quotes of each, those that are no holders
-- left out; beside each in how many quotes the mint was ever traded, whether some wallet's balance is not known, and
-- the newest slot of all of the mint's positions and holdings. Newest row wins (FINAL). A wallet that moved tokens
-- outside of trades has a holding, whose estimate goes before what its positions add up to.
WITH
  toFixedString(base58Decode({mint:String}), 32) AS the_mint,
  (
    SELECT (groupArray(wallet), max(unknown) > 0, max(newest))
    FROM (
      SELECT wallet, countIf(NOT is_known) OVER () AS unknown, max(last_slot) OVER () AS newest
      FROM (
        SELECT
          wallet,
          max(is_held) AS has_holding,
          countIf(NOT is_held) AS traded_in,
          if(has_holding, sumIf(units, is_held), sum(units)) AS balance,
          multiIf(has_holding, minIf(known, is_held), traded_in = 1, sum(units) = sum(based), sum(units) >= 0) AS is_known,
          max(row_slot) AS last_slot
        FROM (
          SELECT
            trader AS wallet, false AS is_held, true AS known, toInt128(token_balance) AS units,
            toInt128(basis_tokens) AS based, slot AS row_slot
          FROM positions FINAL
          WHERE mint = the_mint
          UNION ALL
          SELECT wallet, true, estimate_known, toInt128(estimate), toInt128(0), slot
          FROM holdings FINAL
          WHERE mint = the_mint
        )
        WHERE wallet NOT IN (SELECT toFixedString(base58Decode(arrayJoin({venues:Array(String)})), 32))
        GROUP BY wallet
      )
      ORDER BY traded_in > 0 DESC, is_known DESC, balance DESC, base58Encode(wallet)
      LIMIT {wallets:UInt32}
    )
  ) AS largest
SELECT
  mint, quote_mint, trader, slot, block_index, ix_index, token_balance, tokens_bought, tokens_sold,
  quote_invested, quote_received, basis, basis_tokens, realized_pnl, pnl_known, buys, sells, first_time,
  first_slot, last_time,
  assumeNotNull((SELECT toUInt8(least(uniqExact(quote_mint), 255)) FROM positions WHERE mint = the_mint)) AS mint_quotes,
  assumeNotNull(tupleElement(largest, 2)) AS mint_unknown,
  assumeNotNull(toUInt32(tupleElement(largest, 3))) AS mint_newest
FROM positions FINAL
WHERE mint = the_mint AND trader IN (SELECT arrayJoin(tupleElement(largest, 1)))
