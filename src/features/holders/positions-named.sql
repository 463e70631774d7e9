-- Positions of some wallets in a mint, in all quotes of each. Newest row wins (FINAL).
SELECT $columns
FROM positions FINAL
WHERE mint = toFixedString(base58Decode({mint:String}), 32)
  AND trader IN arrayMap(each -> toFixedString(base58Decode(each), 32), {wallets:Array(String)})
