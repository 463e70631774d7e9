-- Positions of some wallets in a mint, in all quotes of each, and on request of those that only ever
-- sold in a quote, as many as there is room for behind the others. Newest position wins (FINAL).
SELECT $columns
FROM positions FINAL
WHERE mint = toFixedString(base58Decode({mint:String}), 32)
  AND (
    (trader IN arrayMap(wallet -> toFixedString(base58Decode(wallet), 32), {wallets:Array(String)}) AS is_named)
    OR ({sellers:Bool} AND buys = 0)
  )
ORDER BY is_named DESC
LIMIT {limit:UInt32}
