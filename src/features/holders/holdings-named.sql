-- Holdings of some wallets in a mint. Newest row wins (FINAL).
SELECT $columns
FROM holdings FINAL
WHERE mint = toFixedString(base58Decode({mint:String}), 32)
  AND wallet IN arrayMap(each -> toFixedString(base58Decode(each), 32), {wallets:Array(String)})
