-- Sums over all positions of a mint, wallets that are no holders left out. None of them is a
-- list, so they are right for any number of positions. Newest position wins (FINAL). Sums of up to 25
-- largest balances: the sorted array holds no more.
WITH [10, 25] AS tops
SELECT
  toUInt32(count()) AS wallets,
  toUInt32(countIf(balance > 0)) AS holders,
  toInt128(sumIf(balance, balance > 0)) AS held,
  toInt128(-arraySum(arraySlice(groupArraySortedIf(25)(-balance, balance > 0) AS largest, 1, tops[1]))) AS top10,
  toInt128(-arraySum(arraySlice(largest, 1, tops[2]))) AS top25,
  toUInt32(countIf(bought)) AS buyers,
  toUInt32(countIf(sold)) AS sellers,
  toInt128(sum(invested)) AS buy_sol,
  toInt128(sum(received)) AS sell_sol,
  toUInt32(min(first_seen)) AS first_time,
  toUInt32(max(last_slot)) AS newest
FROM (
  SELECT
    trader,
    sum(toInt128(token_balance)) AS balance,
    max(buys > 0) AS bought,
    max(sells > 0) AS sold,
    sumIf(toInt128(quote_invested), quote_mint = toFixedString('', 32)) AS invested,
    sumIf(toInt128(quote_received), quote_mint = toFixedString('', 32)) AS received,
    min(toUInt32(first_time)) AS first_seen,
    max(slot) AS last_slot
  FROM positions FINAL
  WHERE mint = toFixedString(base58Decode({mint:String}), 32)
    AND trader NOT IN (SELECT toFixedString(base58Decode(arrayJoin({venues:Array(String)})), 32))
  GROUP BY trader
)
