-- Sums over all wallets of a mint, those that are no holders left out. None of them is a list, so they are right for
-- any number of wallets. Newest row wins (FINAL). A wallet that moved tokens outside of trades has a holding, whose
-- estimate goes before what its positions add up to; one of which more left than was seen to arrive is `unknown`.
-- Sums of up to 25 largest balances: the sorted array holds no more.
WITH [10, 25] AS tops, toFixedString(base58Decode({mint:String}), 32) AS the_mint
SELECT
  toUInt32(countIf(traded_in > 0)) AS wallets,
  toUInt32(countIf(balance > 0 AND is_known)) AS holders,
  toUInt32(countIf(NOT is_known)) AS unknown,
  toInt128(sumIf(balance, balance > 0 AND is_known)) AS held,
  toInt128(-arraySum(arraySlice(groupArraySortedIf(25)(-balance, balance > 0 AND is_known) AS largest, 1, tops[1]))) AS top10,
  toInt128(-arraySum(arraySlice(largest, 1, tops[2]))) AS top25,
  toUInt32(countIf(bought)) AS buyers,
  toUInt32(countIf(sold)) AS sellers,
  toInt128(sum(invested)) AS buy_sol,
  toInt128(sum(received)) AS sell_sol,
  toUInt32(minIf(first_seen, traded_in > 0)) AS first_time,
  toUInt32(max(last_slot)) AS newest
FROM (
  SELECT
    wallet,
    countIf(NOT is_held) AS traded_in,
    max(is_held) AS has_holding,
    if(has_holding, sumIf(units, is_held), sum(units)) AS balance,
    multiIf(has_holding, minIf(known, is_held), traded_in = 1, sum(units) = sum(based), sum(units) >= 0) AS is_known,
    max(buys > 0) AS bought,
    max(sells > 0) AS sold,
    sumIf(paid, quote_mint = toFixedString('', 32)) AS invested,
    sumIf(got, quote_mint = toFixedString('', 32)) AS received,
    minIf(since, NOT is_held) AS first_seen,
    max(row_slot) AS last_slot
  FROM (
    SELECT
      trader AS wallet, false AS is_held, true AS known, toInt128(token_balance) AS units,
      toInt128(basis_tokens) AS based, buys, sells, quote_mint, toInt128(quote_invested) AS paid,
      toInt128(quote_received) AS got, toUInt32(first_time) AS since, slot AS row_slot
    FROM positions FINAL
    WHERE mint = the_mint
    UNION ALL
    SELECT wallet, true, estimate_known, toInt128(estimate), 0, 0, 0, toFixedString('', 32), 0, 0, 0, slot
    FROM holdings FINAL
    WHERE mint = the_mint
  )
  WHERE wallet NOT IN (SELECT toFixedString(base58Decode(arrayJoin({venues:Array(String)})), 32))
  GROUP BY wallet
)
