-- Holdings of the wallets whose positions the same question finds (wallet-positions.sql), those that are named before others.
-- Newest row wins (FINAL).
SELECT $columns
FROM holdings FINAL
WHERE mint = toFixedString(base58Decode({mint:String}), 32)
  AND wallet IN (
    SELECT trader
    FROM positions
    WHERE mint = toFixedString(base58Decode({mint:String}), 32)
      AND (
        trader IN arrayMap(each -> toFixedString(base58Decode(each), 32), {wallets:Array(String)})
        OR ({sellers:Bool} AND buys = 0)
      )
  )
ORDER BY wallet IN arrayMap(each -> toFixedString(base58Decode(each), 32), {wallets:Array(String)}) DESC, wallet
LIMIT {limit:UInt32}
